import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a plugin that changes and asks in one answer asks about what it changed',
  answer: 'allow-once',
  files: { 'c.md': 'text of c' },
  async check({ say }) {
    const { results, questions } = await say('read', readA, done);
    expect(questions[0]?.params).toEqual({ path: 'c.md' });
    expect(results[0]).toContain('text of c');
  },
});
