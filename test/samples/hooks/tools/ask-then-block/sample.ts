import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a later block still blocks: nobody is asked, and who had asked is told that it is over',
  answer: 'allow-once',
  async check({ say, marks }) {
    const { questions, results } = await say('read', readA, done);
    expect(questions).toEqual([]);
    expect(results[0]).toContain('Blocked by plugin "guard"');
    expect(marks).toEqual(['cancelled']);
  },
});
