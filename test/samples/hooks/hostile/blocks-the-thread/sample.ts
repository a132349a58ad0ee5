import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'a handler that keeps the thread busy longer than its time has still answered',
  async check({ say, found }) {
    const { asked } = await say('hi', done);
    expect(textOf(asked[0]?.messages[0])).toBe('slow\nhi');
    expect(found('hook_timed_out')).toEqual([]);
  },
});
