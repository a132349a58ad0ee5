import { expect } from 'vitest';
import { done, sample, writeB } from '../../hookSample.ts';

export default sample({
  rule: 'the transcript keeps the call as the model made it',
  answer: 'allow-once',
  async check({ session, say }) {
    await say('write', writeB, done);
    const answer = session.messages().find(({ role }) => role === 'assistant');
    expect(answer?.content).toMatchObject([
      { type: 'toolCall', arguments: { path: 'b.md', content: 'new' } },
    ]);
  },
});
