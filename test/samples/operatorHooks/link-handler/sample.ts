import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a handler that is a link out of its folder is blocked',
  async prepare(root) {
    await writeFile(
      join(root, 'outside.ts'),
      "globalThis.mark('outside');\nexport default () => undefined;\n",
    );
    await symlink(join(root, 'outside.ts'), join(root, 'home/.pincer/hooks/linked/handler.ts'));
  },
  async check({ hook, found, marks, emit }) {
    expect(hook('linked').status).toBe('error');
    expect(found('hook_blocked')[0]?.message).toMatch(
      /its handler can not be used: it leads out of its folder/u,
    );
    expect(await emit('command:new')).toEqual(['good']);
    expect(marks).toEqual([]);
  },
});
