import { expect } from 'vitest';
import { done, readA, sample, writeB } from '../../hookSample.ts';

export default sample({
  rule: 'a handler with a matcher judges the calls of those tools alone, and no other is traced as its',
  async check({ say, fileText, traced }) {
    const { results } = await say('read and write', readA, writeB, done);
    expect(results[0]).toContain('text of a');
    expect(results[1]).toContain('Blocked by plugin "guard": Not this file.');
    expect(await fileText('b.md')).toBeUndefined();
    expect((await traced()).filter((line) => line.startsWith('guard '))).toEqual([
      'guard before_tool_call blocked',
    ]);
  },
});
