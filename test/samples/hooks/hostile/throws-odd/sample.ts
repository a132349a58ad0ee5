import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'whatever a handler throws is named, and the turn goes on',
  async check({ say, marks, found }) {
    const { outcome } = await say('hi', done);
    expect(outcome.status).toBe('completed');
    expect(marks).toHaveLength(6);
    expect(found('hook_failed', 'odd').map(({ message }) => message)).toContain(
      '[hooks] message_sending handler from odd failed: a text',
    );
  },
});
