import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'agent_end has the whole conversation, the answer included, and that it went well',
  mayRead: ['reader'],
  async check({ say, marks }) {
    await say('read', readA, done);
    expect(marks).toMatchObject([
      {
        success: true,
        durationMs: expect.any(Number) as number,
        messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'toolResult' }, { role: 'assistant' }],
      },
    ]);
  },
});
