import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'an observer that fails does not fail the call',
  async check({ say, found }) {
    const { outcome, results } = await say('read', readA, done);
    expect(outcome).toEqual({ status: 'completed', text: 'Done.' });
    expect(results[0]).toContain('text of a');
    expect(found('hook_failed', 'bad')).toHaveLength(1);
  },
});
