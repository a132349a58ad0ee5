import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a result can not be made the result of another call',
  async check({ session, say, found }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('text of a');
    expect(session.messages()[2]).toMatchObject({ toolCallId: 'call_1_1' });
    expect(found('hook_invalid_result', 'forger')[0]?.message).toContain(
      '"message.toolCallId" must stay "call_1_1"',
    );
  },
});
