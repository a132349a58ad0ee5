import { link, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestWorkspace } from '../../../test/samples/tools/createTestWorkspace.ts';
import { createPathCheck } from './resolveWorkspacePath.ts';

it('allows files of the workspace, protected ones too, and refuses what tools may not write', async () => {
  const workspace = await createTestWorkspace();
  try {
    const { root, folder, layout, deps } = workspace;
    const check = createPathCheck(() => ({ fs: deps.fs, layout }));
    await workspace.put('proj/sub/a.md', 'a');
    await workspace.put('outside/a.md', 'secret');
    await symlink(join(folder, 'outside'), join(root, 'out'));
    await symlink(join(root, 'sub'), join(root, 'door'));
    await link(join(folder, 'outside/a.md'), join(root, 'hard.md'));
    const a = join(root, 'sub/a.md');
    expect(await check(a)).toEqual({ kind: 'allowed', place: { root, path: a }, label: 'sub/a.md' });
    const kindOf = async (path: string): Promise<string> => (await check(path)).kind;
    expect(await kindOf(join(root, 'new/b.md'))).toBe('allowed');
    expect(await kindOf(join(root, 'package.json'))).toBe('allowed');
    for (const path of ['out/a.md', 'door/a.md', 'hard.md', '../outside/a.md', 'sub'])
      expect([path, await kindOf(join(root, path))]).toEqual([path, 'refused']);
    expect(await kindOf('/etc/passwd')).toBe('refused');
  } finally {
    await workspace.remove();
  }
});
