import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'a plugin file that the agent file does not list is neither loaded nor shown',
  async check({ say, marks, runtime }) {
    await say('Hello');
    expect(marks).toEqual(['listed']);
    const ids = runtime.plugins.plugins().map(({ id }) => id);
    expect(ids.filter((id) => id.startsWith('dexto:'))).toEqual(['dexto:listed']);
  },
});
