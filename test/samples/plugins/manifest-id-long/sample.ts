import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an id of thousands of characters is refused',
  prepare: (root) =>
    writeFile(
      join(root, 'home/plugins/p/openclaw.plugin.json'),
      JSON.stringify({ id: 'p'.repeat(10_000), configSchema: {} }),
    ),
  check({ marks, plugin, found }) {
    expect(marks).toEqual([]);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'manifest' });
    expect(plugin('p').error).toMatch(/^plugin manifest id has more than 128 characters$/u);
    expect(found('plugin_manifest_invalid', 'p')[0]?.line).toBe(1);
  },
});
