import { expect } from 'vitest';
import { sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'the reasons of several plugins are joined by an empty line',
  mayRead: ['one', 'two'],
  async check({ say }) {
    const { asked } = await say('write', { text: '1' }, { text: '2' });
    expect(textOf(asked[1]?.messages.at(-1))).toBe('r1\n\nr2');
  },
});
