import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a handler with eligible triggers answers only turns that began so',
  mayRead: ['a-cron', 'b-user'],
  async check({ say, marks }) {
    const { outcome } = await say('hello', done);
    expect(outcome).toEqual({ status: 'completed', text: 'for the user' });
    expect(marks).toEqual([]);
  },
});
