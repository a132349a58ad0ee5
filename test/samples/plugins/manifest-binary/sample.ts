import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a manifest that is no text is named as such',
  prepare: (root) =>
    writeFile(join(root, 'home/plugins/p/openclaw.plugin.json'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1])),
  check({ marks, plugin }) {
    expect(marks).toEqual([]);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'manifest' });
    expect(plugin('p').error).toMatch(/parse plugin manifest: it is no text$/u);
  },
});
