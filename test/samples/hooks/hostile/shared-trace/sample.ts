import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'no handler can write into the trace ids that the others get',
  async check({ say, marks }) {
    await say('read', readA, done);
    expect(marks).toEqual(['tried', 'own']);
  },
});
