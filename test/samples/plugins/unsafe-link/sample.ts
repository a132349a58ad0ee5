import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a link that leads out of the plugin folder stops the plugin before any of its code runs',
  consent: false,
  async prepare(root) {
    const plugins = join(root, 'workspace/.pincer/plugins');
    await writeFile(join(root, 'outside.ts'), "mark('outside');\n");
    await symlink(join(root, 'outside.ts'), join(plugins, 'linked/helper.ts'));
    await symlink(join(root, 'outside.ts'), join(plugins, 'entry/index.ts'));
  },
  check({ marks, plugin, found }) {
    expect(marks).toEqual([]);
    expect(plugin('linked')).toMatchObject({ status: 'error', failurePhase: 'load' });
    expect(plugin('linked').error).toContain('leads out of its folder');
    expect(found('plugin_candidate_blocked')[0]?.message).toContain(
      'blocked plugin candidate: source escapes plugin root',
    );
  },
});
