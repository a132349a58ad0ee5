import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an empty manifest is named as such',
  prepare: (root) => writeFile(join(root, 'home/plugins/p/openclaw.plugin.json'), ''),
  check({ marks, plugin }) {
    expect(marks).toEqual([]);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'manifest' });
    expect(plugin('p').error).toMatch(/parse plugin manifest: it is empty$/u);
  },
});
