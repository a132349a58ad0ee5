import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'where a plugin that asked made the parameters invalid, nobody is asked and the asker is told that it is over',
  answer: 'allow-once',
  async check({ say, marks }) {
    const { questions, results } = await say('read', readA, done);
    expect(questions).toEqual([]);
    expect(results[0]).toContain('not valid');
    expect(marks).toEqual(['cancelled']);
  },
});
