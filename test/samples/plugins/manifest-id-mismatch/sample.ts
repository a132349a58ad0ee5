import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an id that differs from the folder is a warning at its line',
  check({ marks, found, plugin }) {
    expect(marks).toEqual(['p']);
    expect(found('plugin_id_mismatch', 'other')).toMatchObject([
      {
        message: 'plugin id mismatch (manifest uses "other", entry hints "p")',
        line: 3,
        column: 3,
        source: plugin('other').manifestPath,
      },
    ]);
  },
});
