import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'without a time a question waits 2 minutes, with one of a plugin that long, 10 minutes at most',
  answer: 'allow-once',
  async check({ say }) {
    const { questions } = await say('read', readA, readA, done);
    expect(questions.map(({ timeoutMs }) => timeoutMs)).toEqual([120_000, 600_000]);
  },
});
