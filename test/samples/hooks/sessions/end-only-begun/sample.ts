import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'a session in which nothing was said neither begins nor ends',
  async check({ runtime, marks }) {
    await runtime.conversations.reset(runtime.conversations.create());
    await runtime.stop('shutdown');
    expect(marks).toEqual([]);
  },
});
