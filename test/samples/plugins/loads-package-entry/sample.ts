import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the entry that package.json names is loaded, and its package found',
  // A folder named node_modules would be ignored by git.
  prepare(root) {
    const plugin = join(root, 'workspace/.pincer/plugins/packaged');
    return rename(join(plugin, 'packages'), join(plugin, 'node_modules'));
  },
  async check({ plugin, runTool }) {
    expect(plugin('packaged')).toMatchObject({ status: 'loaded', version: '1.2.3', diagnostics: [] });
    expect(await runTool('ping')).toBe('from a package');
  },
});
