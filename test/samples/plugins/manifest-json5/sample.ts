import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a manifest in JSON5 is read, with one warning',
  check({ marks, found }) {
    expect(marks).toEqual(['p']);
    expect(found('plugin_manifest_odd', 'p').map(({ message }) => message)).toEqual([
      'plugin manifest is not strict JSON (comments or trailing commas); it was read anyway',
    ]);
  },
});
