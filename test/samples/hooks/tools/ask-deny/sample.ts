import { expect } from 'vitest';
import { done, sample, writeB } from '../../hookSample.ts';

export default sample({
  rule: 'after a no the tool does not run; the model and every asker are told',
  answer: 'deny',
  async check({ say, marks, fileText }) {
    const { results } = await say('write', writeB, done);
    expect(results[0]).toContain('Denied by user');
    expect(await fileText('b.md')).toBeUndefined();
    expect(marks.toSorted()).toEqual(['one deny', 'two deny']);
  },
});
