import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'changed files are asked about again with their names; until then the enabled version runs on, with its old events',
  async check({ hook, hooks, load, emit, workspace }) {
    const folder = join(workspace, 'hooks/edited');
    await writeFile(join(folder, 'text.ts'), "export const text = 'two';\n");
    const hookFile = await readFile(join(folder, 'HOOK.md'), 'utf8');
    await writeFile(join(folder, 'HOOK.md'), hookFile.replace('"command:new"', '"command"'));
    await load();
    expect(await emit('command:new')).toEqual(['one']);
    expect(await emit('command:stop')).toEqual([]);
    expect(hook('edited')).toMatchObject({
      status: 'loaded',
      reason:
        'workspace hook (its files have changed since you enabled it); the version you enabled still runs',
      needsConsent: { why: 'files-changed', changedFiles: ['HOOK.md', 'text.ts'] },
    });
    await hooks.grantConsent('edited');
    expect(await emit('command:stop')).toEqual(['two']);
  },
});
