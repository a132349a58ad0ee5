import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import type { PathOp } from './decidePath.ts';
import { resolveWorkspacePath, type ResolvedPath } from './resolveWorkspacePath.ts';

const fs = createNodeFileSystem();
let folder: string;
let root: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-paths-')));
  root = join(folder, 'proj');
  await put('proj/src/a.ts');
  await put('proj/.git/config');
  await put('secret.txt');
  await put('proj-evil/x');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(path: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), 'x');
}

async function linkTo(path: string, target: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await symlink(target, join(root, path));
}

async function resolve(input: string, op: PathOp, roots = [root]): Promise<ResolvedPath> {
  return await resolveWorkspacePath({ fs, layout: { roots, platform: process.platform } }, input, op);
}

async function verdict(input: string, op: PathOp): Promise<string> {
  const found = await resolve(input, op);
  return found.kind === 'block' ? `block ${found.code}` : `${found.kind} ${found.label}`;
}

describe('links', () => {
  test('one that stays inside is followed, and the real file is what is named and touched', async () => {
    await linkTo('link-in', join(root, 'src'));
    expect(await resolve('link-in/a.ts', 'read')).toMatchObject({
      kind: 'allow',
      label: 'src/a.ts',
      path: join(root, 'src', 'a.ts'),
    });
    expect(await verdict('link-in/new/b.ts', 'write')).toBe('allow src/new/b.ts');
  });

  test.each([
    ['absolute', () => join(folder, 'secret.txt')],
    ['relative', () => '../secret.txt'],
    ['through a sibling with the same prefix', () => join(folder, 'proj-evil/../proj-evil/x')],
  ])('one that leads out is refused (%s)', async (_kind, target) => {
    await linkTo('out', target());
    expect(await verdict('out', 'read')).toBe('block path_link');
    expect(await verdict('out', 'write')).toBe('block path_link');
  });

  test('a chain, a folder that leads out, and what is missing below it are refused', async () => {
    await linkTo('second', join(root, 'first'));
    await linkTo('first', folder);
    expect(await verdict('second/secret.txt', 'read')).toBe('block path_link');
    expect(await verdict('first/new.txt', 'write')).toBe('block path_link');
    expect(await verdict('first', 'list')).toBe('block path_link');
  });

  test('a dangling one is refused, since writing would make its target', async () => {
    await linkTo('dangling', join(folder, 'autostart'));
    expect(await verdict('dangling', 'write')).toBe('block path_link');
    expect(await verdict('dangling/x', 'write')).toBe('block path_link');
  });

  test('a loop is refused', async () => {
    await linkTo('loop', join(root, 'loop'));
    expect(await verdict('loop', 'read')).toBe('block path_link');
  });

  test('".." behind a link is refused, since it would lead elsewhere on disk', async () => {
    await linkTo('dd', join(folder, 'proj-evil'));
    await linkTo('inner', join(root, 'src'));
    expect(await verdict('dd/../src/a.ts', 'read')).toBe('block path_link');
    expect(await verdict('inner/../src/a.ts', 'read')).toBe('block path_link');
    expect(await verdict('src/nope/../a.ts', 'read')).toBe('allow src/a.ts');
  });

  test('a protected name that is a link, and a link to a protected place, do not slip through', async () => {
    await linkTo('AGENTS.md', join(root, 'src', 'a.ts'));
    await linkTo('hooks', join(root, '.git'));
    expect(await verdict('AGENTS.md', 'write')).toBe('block path_protected_link');
    expect(await verdict('hooks/pre-commit', 'write')).toBe('ask .git/pre-commit');
  });

  test('a workspace folder that is itself a link is as good as its target', async () => {
    await symlink(root, join(folder, 'alias'));
    const found = await resolve('src/a.ts', 'write', [join(folder, 'alias')]);
    expect(found).toMatchObject({ kind: 'allow', path: join(folder, 'alias', 'src', 'a.ts') });
  });

  test('a link into another workspace folder is fine', async () => {
    await put('lib/b.ts');
    await linkTo('lib', join(folder, 'lib'));
    expect(await resolve(join(root, 'lib/b.ts'), 'read', [root, join(folder, 'lib')])).toMatchObject({
      kind: 'allow',
      root: join(folder, 'lib'),
      label: 'lib/b.ts',
    });
  });
});

describe('kinds', () => {
  test.each([
    ['src', 'read', 'block path_is_folder'],
    ['src', 'write', 'block path_is_folder'],
    ['src', 'list', 'allow src'],
    ['.', 'list', 'allow .'],
    ['src', 'search', 'allow src'],
    ['src/a.ts', 'search', 'allow src/a.ts'],
    ['src/a.ts', 'list', 'block path_not_a_folder'],
    ['src/nope.ts', 'read', 'block path_not_found'],
    ['src/nope.ts', 'write', 'allow src/nope.ts'],
    ['src/a.ts/b', 'write', 'block path_link'],
    ['.git/config', 'write', 'ask .git/config'],
  ] as const)('%s for %s: %s', async (input, op, expected) => {
    expect(await verdict(input, op)).toBe(expected);
  });

  test('a hard link is refused, since its other name may lie outside', async () => {
    await link(join(folder, 'secret.txt'), join(root, 'hard.txt'));
    expect(await verdict('hard.txt', 'read')).toBe('block path_hard_link');
    expect(await verdict('hard.txt', 'write')).toBe('block path_hard_link');
  });

  test.skipIf(process.platform === 'win32')('a pipe is refused without being opened', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await verdict('pipe', 'read')).toBe('block path_not_a_file');
    expect(await verdict('pipe', 'write')).toBe('block path_not_a_file');
  });
});

test('whatever the links and the input, what is not refused really lies in the workspace', async () => {
  const name = fc.constantFrom('src', 'a.ts', 'l1', 'l2', '..', 'new', '.', 'proj');
  const target = fc.constantFrom(
    '..',
    '../..',
    'src',
    'l1',
    'l2',
    '../proj-evil',
    '../secret.txt',
    'src/a.ts',
    '.',
  );
  const trees = fc.record({
    l1: target,
    l2: target,
    input: fc.array(name, { minLength: 1, maxLength: 6 }).map((names) => names.join('/')),
    op: fc.constantFrom<PathOp>('read', 'write', 'list', 'search'),
  });
  await fc.assert(
    fc.asyncProperty(trees, async ({ l1, l2, input, op }) => {
      await linkTo('l1', l1);
      await linkTo('l2', l2);
      try {
        const found = await resolve(input, op);
        if (found.kind === 'block') return;
        const existing = await nearestExisting(found.path);
        expect(existing === root || existing.startsWith(`${root}/`)).toBe(true);
      } finally {
        await rm(join(root, 'l1'), { force: true });
        await rm(join(root, 'l2'), { force: true });
      }
    }),
    { numRuns: 400 },
  );

  /** Where the kernel would find the path, or the folder that a write would make its missing names in. */
  async function nearestExisting(path: string): Promise<string> {
    return await realpath(path).catch(() => nearestExisting(dirname(path)));
  }
});
