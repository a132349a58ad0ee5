import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the first block ends it: no later gate is asked',
  mayRead: ['first', 'second'],
  async check({ say, marks }) {
    const { outcome } = await say('hi', done);
    expect(outcome).toMatchObject({ status: 'blocked', pluginId: 'first' });
    expect(marks).toEqual([]);
  },
});
