import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'each call of one answer is judged for itself, in order, the second after the first has run',
  async check({ say, marks }) {
    const calls = ['a.md', 'no.md'].map((path) => ({ name: 'read', arguments: { path } }));
    const { results } = await say('read', { toolCalls: calls }, done);
    expect(marks).toEqual(['before a.md', 'after a.md', 'before no.md', 'after no.md']);
    expect(results[0]).toContain('text of a');
    expect(results[1]).toContain('Blocked by plugin');
  },
});
