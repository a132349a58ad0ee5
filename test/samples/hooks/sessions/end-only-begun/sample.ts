import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'a session in which nothing was said neither begins nor ends',
  async check({ runtime, marks }) {
    await runtime.resetSession(runtime.createSession());
    await runtime.stop('shutdown');
    expect(marks).toEqual([]);
  },
});
