import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a manifest in UTF-16 is named as such',
  prepare: (root) =>
    writeFile(
      join(root, 'home/plugins/p/openclaw.plugin.json'),
      Buffer.from('\uFEFF{ "id": "p", "configSchema": {} }', 'utf16le'),
    ),
  check({ marks, plugin }) {
    expect(marks).toEqual([]);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'manifest' });
    expect(plugin('p').error).toMatch(/parse plugin manifest: it is UTF-16; save it as UTF-8$/u);
  },
});
