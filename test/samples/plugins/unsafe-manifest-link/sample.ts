import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a manifest that is a link out of the plugin folder is not read',
  async prepare(root) {
    await writeFile(join(root, 'outside.json'), JSON.stringify({ id: 'p', configSchema: {} }));
    await symlink(join(root, 'outside.json'), join(root, 'home/plugins/p/openclaw.plugin.json'));
  },
  check({ marks, plugin }) {
    expect(marks).toEqual([]);
    expect(plugin('p').error).toMatch(/^unsafe plugin manifest path: .*p.openclaw\.plugin\.json \(/u);
  },
});
