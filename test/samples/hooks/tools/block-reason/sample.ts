import { expect } from 'vitest';
import { done, sample, textOf, writeB } from '../../hookSample.ts';

export default sample({
  rule: 'the model is told which plugin blocked a call and why; the tool does not run',
  async check({ say, fileText }) {
    const { asked, results } = await say('write', writeB, done);
    expect(results[0]).toContain('Blocked by plugin "guard": Not on Fridays.');
    expect(textOf(asked[1]?.messages.at(-1))).toBe(results[0]);
    expect(await fileText('b.md')).toBeUndefined();
  },
});
