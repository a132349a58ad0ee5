import { execFile } from 'node:child_process';
import { link, lstat, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { PincerError } from '../../src/base/errors.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import type { FileStat, FileSystem } from '../../src/host/ports.ts';
import { resolveWorkspacePath, type ResolvedPath } from '../../src/tools/paths/resolveWorkspacePath.ts';
import type { WorkspaceLayout } from '../../src/tools/paths/workspaceLayout.ts';
import type { HostileCase, Verdict } from './hostileCase.ts';

const shape = z.looseObject({
  input: z.string(),
  op: z.enum(['read', 'write', 'list', 'search', 'memory_get']),
  platform: z.enum(['linux', 'darwin', 'win32']).default('linux'),
  roots: z.array(z.string()).optional(),
  fs: z.record(z.string(), z.string()).default({}),
  missing: z.array(z.string()).default([]),
  nlink: z.int().default(1),
  kind: z.enum(['file', 'dir', 'fifo', 'socket', 'device']).default('file'),
  race: z.boolean().default(false),
});
type PathCase = z.infer<typeof shape>;

/** Puts a case's files on a real disk, or for the rules of other platforms in front of a disk that holds everything. */
export async function judge(testCase: HostileCase): Promise<Verdict> {
  const path = shape.parse(testCase);
  return path.platform === 'linux' ? await judgeOnDisk(path) : await judgeElsewhere(path);
}

async function judgeOnDisk(path: PathCase): Promise<Verdict> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'pincer-case-')));
  const cleanUp: (() => Promise<void>)[] = [() => rm(top, { recursive: true, force: true })];
  try {
    const roots = (path.roots ?? ['/w/proj']).map((root) => join(top, root));
    for (const root of [...roots, join(top, 'w/proj-evil'), join(top, 'home/u')])
      await mkdir(root, { recursive: true });
    const input = /^\/(?:w|home\/u)(?:\/|$)/u.test(path.input) ? top + path.input : path.input;
    const target = posix.isAbsolute(input) ? posix.normalize(input) : posix.join(roots[0] ?? top, input);
    await putFiles(path, top, target, cleanUp);
    const fs = path.kind === 'device' ? withDevice(createNodeFileSystem(), target) : createNodeFileSystem();
    const layout: WorkspaceLayout = { roots, platform: 'linux' };
    const verdict = await resolveWorkspacePath({ fs, layout }, input, path.op);
    if (verdict.kind === 'block' || !path.race) return verdict.kind;
    return await useAfterSwap(fs, verdict, path, top);
  } finally {
    for (const undo of cleanUp.reverse()) await undo();
  }
}

/** What the case says lies there, and the file that is meant where the case says nothing of it. */
async function putFiles(
  path: PathCase,
  top: string,
  target: string,
  cleanUp: (() => Promise<void>)[],
): Promise<void> {
  const missing = path.missing.map((each) => join(top, each));
  for (const [from, to] of Object.entries(path.fs)) {
    const at = join(top, from);
    const leadsTo = posix.isAbsolute(to) ? join(top, to) : join(dirname(at), to);
    await mkdir(dirname(at), { recursive: true });
    await symlink(posix.isAbsolute(to) ? top + to : to, at);
    const isFolder = target.startsWith(`${at}/`) || path.input.includes(`${posix.basename(from)}/`);
    if (leadsTo !== at && !missing.includes(leadsTo)) await put(leadsTo, isFolder ? 'dir' : 'file', cleanUp);
  }
  const isThere = !missing.some((each) => target === each || target.startsWith(`${each}/`));
  if (isThere && target.startsWith(`${top}/`) && (path.op !== 'write' || path.kind !== 'file') && !path.race)
    await put(target, path.kind, cleanUp);
  if (path.race && path.op !== 'write') await put(target, 'file', cleanUp);
  if (path.nlink > 1) {
    await put(target, 'file', cleanUp);
    await link(target, join(top, 'second-name'));
  }
}

async function put(path: string, kind: PathCase['kind'], cleanUp: (() => Promise<void>)[]): Promise<void> {
  // A name that no file can have is for the guard to refuse.
  if (path.includes('\0') || path.length > 4_000 || posix.basename(path).length > 255) return;
  if (await isAnythingThere(path)) return;
  await mkdir(kind === 'dir' ? path : dirname(path), { recursive: true });
  if (kind === 'file' || kind === 'device') await writeFile(path, 'text\n');
  if (kind === 'fifo') await promisify(execFile)('mkfifo', [path]);
  if (kind !== 'socket') return;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  cleanUp.push(() => new Promise<void>((resolve) => void server.close(() => resolve())));
}

async function isAnythingThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)))
      return false;
    throw error;
  }
}

/** After the check a link takes the place of the file, or of its folder where that is not there yet. */
async function useAfterSwap(
  fs: FileSystem,
  verdict: Exclude<ResolvedPath, { kind: 'block' }>,
  { op }: PathCase,
  top: string,
): Promise<Verdict> {
  const { root, path, segments } = verdict;
  const outside = join(top, 'outside');
  const isNewFolder = segments.length > 1 && !(await isAnythingThere(dirname(path)));
  await mkdir(outside);
  await writeFile(join(outside, 'key'), 'secret');
  await rm(path, { force: true });
  await symlink(
    isNewFolder ? outside : join(outside, 'key'),
    isNewFolder ? join(root, segments[0] ?? '') : path,
  );
  try {
    if (op === 'write') await (await fs.stageExact({ root, path }, 'text')).commit();
    else await fs.readExact({ root, path });
    return 'allow';
  } catch (error) {
    if (error instanceof PincerError && error.code === 'io_moved') return 'block';
    throw error;
  }
}

const deviceStat: FileStat = { kind: 'other', size: 0, mtimeMs: 0, links: 1, mode: 0o666, uid: 0 };

/** A device can't be made without rights; this disk says that one lies there. */
function withDevice(fs: FileSystem, path: string): FileSystem {
  return { ...fs, lstat: async (at) => (at === path ? deviceStat : await fs.lstat(at)) };
}

const everyFile: FileStat = { kind: 'file', size: 1, mtimeMs: 0, links: 1, mode: undefined, uid: undefined };

/** The rules of Windows and macOS are pure; the disk here says that every name is a plain file. */
async function judgeElsewhere({ input, op, platform, roots }: PathCase): Promise<Verdict> {
  const home = platform === 'win32' ? 'C:\\w\\proj' : '/w/proj';
  const fs: FileSystem = {
    ...createNodeFileSystem(),
    lstat: () => Promise.resolve(everyFile),
    realpath: (path) => Promise.resolve(path),
  };
  const verdict = await resolveWorkspacePath({ fs, layout: { roots: roots ?? [home], platform } }, input, op);
  return verdict.kind;
}
