import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'what an agent_end observer does to the messages does not reach the session',
  mayRead: ['mutates'],
  async check({ say }) {
    await say('one', done);
    const { asked } = await say('two', done);
    expect(asked[0]?.messages.map(textOf)).toEqual(['one', 'Done.', 'two']);
  },
});
