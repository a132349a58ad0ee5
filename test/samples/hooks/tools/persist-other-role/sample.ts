import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a result can not be made a message of the user',
  async check({ say, found }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('text of a');
    expect(found('hook_invalid_result', 'forger')[0]?.message).toContain(
      '"message.role" must stay "toolResult"',
    );
  },
});
