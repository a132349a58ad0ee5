import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a link among the files of a hook that leads out of its folder keeps the hook from running: the target is not in the consent',
  async prepare(root) {
    await writeFile(join(root, 'outside.ts'), 'export {};\n');
    await symlink(join(root, 'outside.ts'), join(root, 'workspace/hooks/linked/lib.ts'));
  },
  check({ hook, found }) {
    expect(hook('linked')).toMatchObject({ status: 'error' });
    expect(hook('linked').needsConsent).toBeUndefined();
    expect(found('hook_files_unreadable')[0]?.message).toMatch(/it has a link that leads out of its folder/u);
  },
});
