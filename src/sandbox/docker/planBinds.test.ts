import { posix } from 'node:path';
import { expect, it } from 'vitest';
import type { FileStat } from '../../host/ports.ts';
import { planBinds, type BindPlanInput } from './planBinds.ts';

const there: FileStat = { kind: 'directory', size: 0, mtimeMs: 0, links: 1, mode: undefined, uid: undefined };
const runs = ['/home/u/mono/.vscode', '/home/u/mono/app/.git', '/data/shared/.git'];

async function bindsOf(binds: readonly string[], more: Partial<BindPlanInput> = {}): Promise<string[]> {
  const plan = await planBinds({
    fs: {
      realpath: (path) => Promise.resolve(posix.normalize(path)),
      lstat: (path) => Promise.resolve(runs.includes(path) ? there : undefined),
    },
    platform: 'linux',
    home: '/home/u',
    folders: ['/home/u/mono/app'],
    options: {
      image: 'debian',
      binds,
      bindRoots: ['/home/u/mono', '/data/shared'],
      memory: '1g',
      cpus: 1,
      pidsLimit: 64,
      workspaceAccess: 'none',
    },
    ...more,
  });
  return plan.map(({ source, target, mode }) => `${source}:${target}:${mode}`);
}

it('keeps what this machine runs later read-only in a bind that the config adds', async () => {
  expect(await bindsOf(['/data/shared:/data'])).toEqual([
    '/data/shared:/data:rw',
    '/data/shared/.git:/data/.git:ro',
  ]);
  expect(await bindsOf(['/data/shared:/data:ro'])).toEqual(['/data/shared:/data:ro']);
});

it('does so for a workspace folder inside of it too', async () => {
  expect(await bindsOf(['/home/u/mono:/mono'])).toEqual([
    '/home/u/mono:/mono:rw',
    '/home/u/mono/.vscode:/mono/.vscode:ro',
    '/home/u/mono/app/.git:/mono/app/.git:ro',
  ]);
});

it('refuses to lay what a link leads to over a writable folder', async () => {
  const link: FileStat = { ...there, kind: 'symlink' };
  const fs = {
    realpath: (path: string) => Promise.resolve(posix.normalize(path)),
    lstat: (path: string) => Promise.resolve(path === '/data/shared/.vscode' ? link : undefined),
  };
  await expect(bindsOf(['/data/shared:/data'], { fs })).rejects.toMatchObject({
    code: 'sandbox_bind_refused',
    message: expect.stringContaining('"/data/shared/.vscode" is a link') as string,
  });
  expect(await bindsOf(['/data/shared:/data:ro'], { fs })).toEqual(['/data/shared:/data:ro']);
});
