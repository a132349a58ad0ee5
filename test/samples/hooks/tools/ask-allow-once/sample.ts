import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'after a yes the tool runs with the final parameters, and the asker is told once',
  answer: 'allow-once',
  async check({ say, marks }) {
    const { questions, results } = await say('read', readA, done);
    expect(questions).toMatchObject([{ askers: ['asker'], title: 'Read it?' }]);
    expect(results[0]).toContain('text of a');
    expect(marks).toEqual(['allow-once']);
  },
});
