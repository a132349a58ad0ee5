import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a critical question never offers always',
  answer: 'deny',
  async check({ say }) {
    const { questions } = await say('read', readA, done);
    expect(questions[0]).toMatchObject({ severity: 'critical', decisions: ['allow-once', 'deny'] });
  },
});
