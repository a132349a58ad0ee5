import { execFile } from 'node:child_process';
import { link, lstat, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, posix, win32 } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { PincerError } from '../../src/base/errors.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import type { FileStat, FileSystem } from '../../src/host/ports.ts';
import { resolveWorkspacePath, type ResolvedPath } from '../../src/tools/paths/resolveWorkspacePath.ts';
import type { WorkspaceLayout } from '../../src/tools/paths/workspaceLayout.ts';
import { createCaseDisk, type CaseDisk } from './createCaseDisk.ts';
import type { HostileCase, Verdict } from './hostileCase.ts';

const ops = ['read', 'write', 'list', 'search', 'memory_get'] as const;
const shape = z.looseObject({
  input: z.string(),
  op: z.enum(ops).default('read'),
  platform: z.enum(['linux', 'darwin', 'win32']).default('linux'),
  roots: z.array(z.string()).default([]),
  fs: z.record(z.string(), z.string()).default({}),
  missing: z.array(z.string()).default([]),
  nlink: z.int().default(1),
  /** Whatever is none of these counts as a device. */
  kind: z.enum(['file', 'dir', 'fifo', 'socket', 'device']).catch('device').default('file'),
  race: z.coerce.boolean().default(false),
});
type PathCase = z.infer<typeof shape>;

const firstRoot = '/w/proj';

/** Puts a case's files on a real disk, or for the rules of other platforms in front of a disk that holds everything. */
export async function judge(testCase: HostileCase): Promise<Verdict> {
  const path = shape.parse(testCase);
  if (path.platform === 'linux') return await judgeOnDisk(path);
  const verdict = await judgeElsewhere(path);
  if (verdict === 'block' || !path.race) return verdict;
  // What happens between check and use is tried on the disk that there is.
  return await judgeOnDisk({ ...path, input: path.input.replace(/^[a-z]:/iu, '').replaceAll('\\', '/') });
}

/** The folders that are open: the first one always, a second one where the case names it. */
function rootsOf({ roots }: PathCase): readonly string[] {
  return [...new Set([firstRoot, ...roots])];
}

async function judgeOnDisk(path: PathCase): Promise<Verdict> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'pincer-case-')));
  const cleanUp: (() => Promise<void>)[] = [() => rm(top, { recursive: true, force: true })];
  try {
    const isOurs = /^\/(?:w|home\/u)(?:\/|$)/u.test(posix.normalize(path.input));
    const input = isOurs ? top + path.input : path.input;
    const targets = await putFiles(path, top, cleanUp);
    const fs = path.kind === 'device' ? withDevice(createNodeFileSystem(), targets) : createNodeFileSystem();
    const layout: WorkspaceLayout = { roots: rootsOf(path).map((root) => top + root), platform: 'linux' };
    const verdict = await resolveWorkspacePath({ fs, layout }, input, path.op);
    if (verdict.kind === 'block' || !path.race) return verdict.kind;
    return await useAfterSwap(fs, verdict, path, top);
  } finally {
    for (const undo of cleanUp.reverse()) await undo();
  }
}

/** What the case says lies there, and the file that is meant where the case says nothing of it; that one's places. */
async function putFiles(
  path: PathCase,
  top: string,
  cleanUp: (() => Promise<void>)[],
): Promise<readonly string[]> {
  const disk = createCaseDisk({ ...path, platform: 'linux' });
  const find = (at: string): string | undefined => {
    try {
      return disk.find(at);
    } catch (error) {
      if (error instanceof PincerError) return undefined;
      throw error;
    }
  };
  const putFolder = async (at: string | undefined): Promise<void> =>
    at === undefined || !isName(at) ? undefined : await put(top + at, 'dir', cleanUp);
  const links = Object.entries(path.fs).sort(([a], [b]) => a.length - b.length);
  for (const [from, to] of links) {
    const folder = find(posix.dirname(from)) ?? posix.dirname(from);
    await putFolder(folder);
    await symlink(posix.isAbsolute(to) ? top + to : to, join(top, folder, posix.basename(from)));
  }
  for (const folder of [...rootsOf(path), '/w/proj-evil', '/home/u']) await putFolder(find(folder));
  const wanted = placesOf(path).filter(isName);
  for (const place of wanted) for (const folder of foldersOf(place)) await putFolder(find(folder));
  const targets = [...new Set(wanted.flatMap((place) => [place, posix.normalize(place)]).map(find))]
    .filter((target) => target !== undefined)
    .map((target) => top + target);
  const isNew = path.op === 'write' && path.kind === 'file' && path.nlink === 1;
  for (const target of targets) if (!isNew && !target.endsWith('/')) await put(target, path.kind, cleanUp);
  for (const [from] of links) {
    const real = find(from);
    if (real !== undefined) await put(top + real, 'file', cleanUp);
  }
  for (const [at, target] of targets.entries()) {
    if (path.nlink > 1 && (await lstat(target)).isFile()) await link(target, join(top, `second-name-${at}`));
  }
  return targets;
}

/** What a relative path may mean: one below the first folder, or with its name in front below another. */
function placesOf(path: PathCase): readonly string[] {
  const input = path.input.replace(/\/+$/u, '');
  if (posix.isAbsolute(input)) return [input];
  const [name, ...rest] = input.split('/');
  const named = rootsOf(path).find((root) => posix.basename(root) === name);
  return [`${firstRoot}/${input}`, ...(named === undefined ? [] : [[named, ...rest].join('/')])];
}

function foldersOf(place: string): readonly string[] {
  const names = place.split('/');
  return names.slice(2).map((_name, at) => names.slice(0, at + 2).join('/'));
}

/** False for a name that no file can have; it is for the guard to refuse. */
function isName(path: string): boolean {
  return (
    !path.includes('\0') &&
    Buffer.byteLength(path) < 3_000 &&
    path.split('/').every((name) => Buffer.byteLength(name) < 256)
  );
}

async function put(path: string, kind: PathCase['kind'], cleanUp: (() => Promise<void>)[]): Promise<void> {
  if (!isName(path) || (await isAnythingThere(path))) return;
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
function withDevice(fs: FileSystem, paths: readonly string[]): FileSystem {
  return { ...fs, lstat: async (at) => (paths.includes(at) ? deviceStat : await fs.lstat(at)) };
}

const kinds: Readonly<Record<string, FileStat['kind']>> = { file: 'file', dir: 'directory' };

/** The rules of Windows and macOS run in front of a disk that is only thought. */
async function judgeElsewhere(path: PathCase): Promise<Verdict> {
  const { input, op, platform, nlink } = path;
  const drive = platform === 'win32' ? 'C:' : '';
  const rules = platform === 'win32' ? win32 : posix;
  const roots = rootsOf(path).map((root) => (/^[a-z]:/iu.test(root) ? root : rules.normalize(drive + root)));
  const disk = createCaseDisk({ ...path, platform });
  const base: FileStat = {
    kind: 'directory',
    size: 1,
    mtimeMs: 0,
    links: 1,
    mode: undefined,
    uid: undefined,
  };
  const places = [input, ...roots.map((root) => rules.join(root, input))].map((each) =>
    rules.normalize(each),
  );
  const fs: FileSystem = {
    ...createNodeFileSystem(),
    lstat: (at) => {
      const entry = disk.findEntry(at);
      if (entry === undefined) return Promise.resolve(undefined);
      if (disk.isLink(entry)) return Promise.resolve({ ...base, kind: 'symlink' });
      const isTarget = places.some((place) => fold(findOr(disk, place)) === fold(entry));
      if (!isTarget) return Promise.resolve(base);
      return Promise.resolve({ ...base, kind: kinds[path.kind] ?? 'other', links: nlink });
    },
    realpath: (at) => disk.realpath(at),
  };
  const verdict = await resolveWorkspacePath({ fs, layout: { roots, platform } }, input, op);
  return verdict.kind;
}

/** As both platforms compare names. */
function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function findOr(disk: CaseDisk, path: string): string {
  try {
    return disk.find(path) ?? path;
  } catch (error) {
    if (error instanceof PincerError) return path;
    throw error;
  }
}
