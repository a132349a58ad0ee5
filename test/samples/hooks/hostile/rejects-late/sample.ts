import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: "a rejection after the handler's time is caught and counts for nothing",
  async check({ say, marks, found }) {
    const { outcome } = await say('hi', { delayMs: 60, text: 'Done.' });
    expect(outcome.status).toBe('completed');
    expect(marks).toEqual(['rejecting']);
    expect(found('hook_failed')).toEqual([]);
  },
});
