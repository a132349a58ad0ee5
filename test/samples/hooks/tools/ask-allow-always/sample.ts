import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'an "always" is remembered for this asker: the second call asks nobody, and the asker is told both times',
  answer: 'allow-always',
  async check({ say, marks }) {
    const first = await say('read', readA, done);
    const second = await say('read', readA, done);
    expect(first.questions).toHaveLength(1);
    expect(second.questions).toHaveLength(0);
    expect(second.results[0]).toContain('text of a');
    expect(marks).toEqual(['allow-always', 'allow-always']);
  },
});
