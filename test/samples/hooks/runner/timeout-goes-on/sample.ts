import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'after a handler ran out of time the next one is called, with what was there before',
  async check({ say }) {
    const { asked } = await say('hi', done);
    expect(textOf(asked[0]?.messages[0])).toBe('one\n\nthree\nhi');
  },
});
