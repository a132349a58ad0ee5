import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'of several askers the shortest time counts',
  async check({ say }) {
    const { questions } = await say('read', readA, done);
    const { createdAt = 0, expiresAt = 0 } = questions[0] ?? {};
    expect(expiresAt - createdAt).toBe(20);
  },
});
