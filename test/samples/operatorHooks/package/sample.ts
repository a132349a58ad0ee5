import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a package names its hooks in openclaw.hooks and brings what they import; one outside of it is blocked',
  async prepare(root) {
    const pack = join(root, 'home/.pincer/hooks/pack');
    // Git ignores node_modules, so it can't be in the fixture.
    await mkdir(join(pack, 'node_modules/greeting'), { recursive: true });
    await writeFile(join(pack, 'node_modules/greeting/index.js'), "exports.text = 'from a package';\n");
    await cp(join(pack, 'hooks/two'), join(root, 'home/.pincer/outside'), { recursive: true });
  },
  async check({ hooks, found, emit }) {
    expect(hooks.list().map(({ name }) => name)).toEqual(['one', 'two']);
    expect(await emit('command:new')).toEqual(['from a package', 'two']);
    expect(found('hook_blocked')).toHaveLength(1);
    expect(found('hook_not_found')).toHaveLength(1);
  },
});
