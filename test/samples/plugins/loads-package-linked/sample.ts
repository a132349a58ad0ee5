import { mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'packages that are links into a store, as pnpm lays them out, find what stands beside them there',
  async prepare(root) {
    const plugin = join(root, 'workspace/.pincer/plugins/p');
    await mkdir(join(plugin, 'node_modules'));
    await rename(join(plugin, 'store'), join(plugin, 'node_modules/.store'));
    const store = join(plugin, 'node_modules/.store/linked@1');
    await rename(join(store, 'deps'), join(store, 'node_modules'));
    await symlink('.store/linked@1/node_modules/linked', join(plugin, 'node_modules/linked'));
  },
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('linked beside');
  },
});
