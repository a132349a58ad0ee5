import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a plugin that asked may itself go on to change the parameters',
  answer: 'allow-once',
  files: { 'a.md': 'text of a', 'c.md': 'text of c' },
  async check({ say }) {
    const { results, questions } = await say('read', readA, done);
    expect(results[0]).toContain('text of c');
    expect(questions[0]?.params).toEqual({ path: 'c.md' });
  },
});
