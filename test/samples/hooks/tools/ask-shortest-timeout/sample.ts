import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'of several askers the shortest time counts',
  async check({ say }) {
    const { questions } = await say('read', readA, done);
    expect(questions).toMatchObject([{ timeoutMs: 20, isTimeWatched: false }]);
  },
});
