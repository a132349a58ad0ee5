import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a package.json of megabytes is not read',
  prepare: (root) =>
    writeFile(
      join(root, 'home/plugins/p/package.json'),
      JSON.stringify({ openclaw: { extensions: [] }, x: 'x'.repeat(2_000_000) }),
    ),
  check({ marks, found }) {
    expect(marks).toEqual(['p']);
    expect(found('plugin_package_odd', 'p')[0]?.message).toContain('is ignored; the limit is 1000000');
  },
});
