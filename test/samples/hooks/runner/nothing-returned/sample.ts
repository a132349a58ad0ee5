import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'null, undefined and an empty object change nothing and are no fault',
  async check({ runtime, say }) {
    const { asked, shown } = await say('hi', done);
    expect(textOf(asked[0]?.messages[0])).toBe('hi');
    expect(shown).toBe('Done.');
    expect(runtime.workspace.diagnostics()).toEqual([]);
  },
});
