import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: "a prompt hook that throws loses its own change and no other's",
  async check({ say, found }) {
    const { asked } = await say('hi', done);
    expect(textOf(asked[0]?.messages[0])).toBe('one\n\nthree\nhi');
    expect(found('hook_failed', 'b-bad')).toHaveLength(1);
  },
});
