import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a manifest with bytes that are no UTF-8 is refused, not repaired',
  prepare: (root) =>
    writeFile(
      join(root, 'home/plugins/p/openclaw.plugin.json'),
      Buffer.concat([Buffer.from('{ "id": "p'), Buffer.from([0xff]), Buffer.from('", "configSchema": {} }')]),
    ),
  check({ marks, plugin }) {
    expect(marks).toEqual([]);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'manifest' });
    expect(plugin('p').error).toMatch(/parse plugin manifest: it is no UTF-8 text$/u);
  },
});
