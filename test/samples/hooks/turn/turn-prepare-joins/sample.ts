import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the contexts of agent_turn_prepare are joined by an empty line in handler order, around the prompt',
  async check({ say }) {
    const { asked } = await say('hi', done);
    expect(asked[0]?.messages[0]?.content).toEqual([
      { type: 'text', text: 'before 1\n\nbefore 2', isContext: true },
      { type: 'text', text: 'hi' },
      { type: 'text', text: 'after 1\n\nafter 2', isContext: true },
    ]);
  },
});
