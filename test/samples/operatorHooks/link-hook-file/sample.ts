import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a HOOK.md that is a link out of its folder is not read',
  async prepare(root) {
    await writeFile(join(root, 'secret.md'), '---\nname: from-outside\n---\n');
    await symlink(join(root, 'secret.md'), join(root, 'workspace/hooks/linked/HOOK.md'));
  },
  check({ hooks, found }) {
    expect(hooks.list()).toMatchObject([{ name: 'linked', status: 'error' }]);
    expect(found('hook_blocked')).toHaveLength(1);
  },
});
