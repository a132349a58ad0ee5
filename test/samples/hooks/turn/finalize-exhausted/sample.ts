import { expect } from 'vitest';
import { sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: "where one plugin's budget is used up, the next plugin's instruction counts",
  mayRead: ['one', 'two'],
  async check({ say }) {
    const { asked } = await say('write', { text: '1' }, { text: '2' }, { text: '3' });
    const told = asked.slice(1).map(({ messages }) => textOf(messages.at(-1)).split('\n').at(-1));
    expect(told).toEqual(['do one', 'do two']);
  },
});
