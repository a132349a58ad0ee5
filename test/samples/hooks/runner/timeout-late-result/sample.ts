import { expect } from 'vitest';
import { sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'what a handler answers after its time changes nothing',
  async check({ say, marks }) {
    const { asked } = await say('hi', { delayMs: 60, text: 'Done.' });
    expect(marks).toEqual(['late']);
    expect(textOf(asked[0]?.messages[0])).toBe('hi');
  },
});
