import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a byte order mark before a manifest is no problem',
  prepare: (root) =>
    writeFile(join(root, 'home/plugins/p/openclaw.plugin.json'), '\uFEFF{ "id": "p", "configSchema": {} }'),
  check({ marks, found }) {
    expect(marks).toEqual(['p']);
    expect(found('plugin_manifest_odd')).toEqual([]);
  },
});
