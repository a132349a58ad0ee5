import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'handlers that change something run one after the other, each after the promise of the one before',
  async check({ say, marks }) {
    const { asked } = await say('hi', done);
    expect(marks).toEqual(['slow ends', 'quick']);
    expect(textOf(asked[0]?.messages[0])).toBe('slow\n\nquick\nhi');
  },
});
