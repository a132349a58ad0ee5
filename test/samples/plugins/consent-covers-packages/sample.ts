import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the consent covers the packages of a plugin too: a change in node_modules is asked about',
  prepare(root) {
    const plugin = join(root, 'workspace/.pincer/plugins/deps');
    return rename(join(plugin, 'packages'), join(plugin, 'node_modules'));
  },
  async check({ plugin, load, folderOf }) {
    const packages = join(folderOf('deps'), 'node_modules/left/index.js');
    await writeFile(packages, 'exports.a = 2;\n');
    await load();
    expect(plugin('deps').needsConsent).toMatchObject({
      why: 'files-changed',
      changedFiles: ['node_modules'],
    });
  },
});
