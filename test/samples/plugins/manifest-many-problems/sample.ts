import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a manifest with a hundred thousand wrong items is read quickly and named in a few lines',
  prepare: (root) =>
    writeFile(
      join(root, 'home/plugins/p/openclaw.plugin.json'),
      JSON.stringify({
        id: 'p',
        configSchema: {},
        channels: Array<number>(100_000).fill(1),
        skills: Array<number>(100_000).fill(2),
      }),
    ),
  check({ plugin, found }) {
    expect(plugin('p').status).toBe('loaded');
    expect(found('plugin_manifest_odd', 'p').length).toBeLessThan(25);
  },
});
