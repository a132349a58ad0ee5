import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'each handler gets the settings of its own plugin',
  config: { plugins: { entries: { one: { config: { level: 1 } }, two: { config: { level: 2 } } } } },
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual([{ level: 1 }, { level: 2 }]);
  },
});
