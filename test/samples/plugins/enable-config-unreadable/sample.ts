import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'while your config can not be read, only bundled plugins run',
  config: { onlyBundled: true },
  check({ marks, found }) {
    expect(marks).toEqual(['b']);
    expect(found('plugin_disabled', 'p')[0]?.message).toContain('your config can not be read');
  },
});
