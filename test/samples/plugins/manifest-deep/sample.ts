import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a manifest nested thousands of levels deep is refused without a crash',
  prepare: (root) =>
    writeFile(
      join(root, 'home/plugins/p/openclaw.plugin.json'),
      `{ "id": "p", "configSchema": ${'['.repeat(100_000)}${']'.repeat(100_000)} }`,
    ),
  check({ marks, plugin }) {
    expect(marks).toEqual([]);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'manifest' });
    expect(plugin('p').error).toMatch(/parse plugin manifest: it is nested deeper than 100 levels$/u);
  },
});
