import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a question without title and with an unknown severity is a warning that names the tool',
  answer: 'deny',
  async check({ say }) {
    const { questions } = await say('read', readA, done);
    expect(questions[0]).toMatchObject({ severity: 'warning', title: 'Run read?' });
  },
});
