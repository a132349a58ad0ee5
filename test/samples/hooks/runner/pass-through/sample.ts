import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a later handler sees what earlier ones made of the event',
  async check({ say, marks }) {
    await say('read', readA, done);
    expect(marks).toEqual([{ path: 'a.md', limit: 5 }]);
  },
});
