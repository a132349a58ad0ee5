import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a hook folder that is a link is no hook, and says so',
  async prepare(root) {
    await cp(join(root, 'home/.pincer/hooks/real'), join(root, 'elsewhere'), { recursive: true });
    await writeFile(join(root, 'elsewhere/HOOK.md'), '---\nname: elsewhere\n---\n');
    await symlink(join(root, 'elsewhere'), join(root, 'home/.pincer/hooks/linked'));
  },
  check({ hooks, found }) {
    expect(hooks.list().map(({ name }) => name)).toEqual(['real']);
    expect(found('hook_blocked')[0]?.message).toMatch(/its folder is a link/u);
  },
});
