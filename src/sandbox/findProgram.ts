// Threat: a file named like a program lies in the workspace, and an allowed `git status` runs it. A bare name is looked up in
// the absolute folders of PATH alone: never in the current folder, which Windows searches first and an empty or relative
// entry of PATH means. PATH may name folders of the workspace, too (node_modules/.bin, what direnv adds), or a link on it leads
// there: what runs without a question comes from the machine alone.
import { posix, win32 } from 'node:path';
import type { FileStat, FileSystem } from '../host/ports.ts';

export interface ProgramSearch {
  readonly fs: Pick<FileSystem, 'stat'>;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string>>;
  /** The folder the command runs in. */
  readonly cwd: string;
}

/**
 * The absolute path of a program; undefined where there is none. A name with a slash is a path, relative to `cwd`, as in
 * every shell.
 */
export async function findProgram(search: ProgramSearch, name: string): Promise<string | undefined> {
  const { platform, cwd } = search;
  const rules = platform === 'win32' ? win32 : posix;
  if (name === '' || name.includes('\0')) return undefined;
  const isPath = platform === 'win32' ? /[\\/:]/u.test(name) : name.includes('/');
  if (isPath) return await firstProgram(search, [rules.resolve(cwd, name)]);
  const folders = searchFolders(search).map((folder) => rules.join(folder, name));
  return await firstProgram(search, folders);
}

/** The folders of PATH that count, in order. Pure. */
function searchFolders({ platform, env, cwd }: Omit<ProgramSearch, 'fs'>): readonly string[] {
  const rules = platform === 'win32' ? win32 : posix;
  const fold = (path: string): string => (platform === 'win32' ? path.toLowerCase() : path);
  const here = fold(rules.resolve(cwd));
  return (valueOf(env, platform, 'PATH') ?? '')
    .split(rules.delimiter)
    .map((entry) => (platform === 'win32' ? entry.replace(/^"(.*)"$/u, '$1') : entry))
    .filter((entry) => rules.isAbsolute(entry) && fold(rules.resolve(entry)) !== here);
}

/** An environment in which shells and programs look names up as `findProgram` does. Pure. */
export function withSafePath(search: Omit<ProgramSearch, 'fs'>): Readonly<Record<string, string>> {
  const { platform } = search;
  return {
    ...withPath(search, searchFolders(search)),
    ...(platform === 'win32' ? { NoDefaultCurrentDirectoryInExePath: '1' } : {}),
  };
}

function withPath(
  { platform, env }: Pick<ProgramSearch, 'platform' | 'env'>,
  folders: readonly string[],
): Readonly<Record<string, string>> {
  const isPath = (name: string): boolean =>
    platform === 'win32' ? name.toLowerCase() === 'path' : name === 'PATH';
  const others = Object.entries(env).filter(([name]) => !isPath(name));
  // Without any PATH shells have one of their own, and an empty one means the current folder.
  const path = folders.length === 0 ? '/nonexistent' : folders.join(platform === 'win32' ? ';' : ':');
  return { ...Object.fromEntries(others), PATH: path };
}

/** A line that may run without a question. */
interface UnaskedLine {
  /** The names of its programs, as they were written. */
  readonly programs: readonly string[];
  /** Absolute path of the folder it runs in. */
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The environment to run it in, or why it needs a question: one short sentence. */
type GuardedLine = { readonly env: UnaskedLine['env'] } | { readonly problem: string };

type Machine = Pick<ProgramSearch, 'platform'> & { readonly fs: Pick<FileSystem, 'stat' | 'realpath'> };

/**
 * How a line has to run so that nothing of the workspace's folders runs as one of its programs, or as one that these look up.
 */
export async function guardUnasked(
  machine: Machine,
  { programs, workdir, env }: UnaskedLine,
  folders: readonly string[],
): Promise<GuardedLine> {
  const search = { ...machine, cwd: workdir };
  const guarded = await withPathOutside({ ...search, env }, folders);
  for (const name of new Set(programs)) {
    const path = await findProgram({ ...search, env: guarded }, name);
    // Nowhere else: a shell's own word, or nothing at all.
    const inWorkspace = path ?? (await findProgram({ ...search, env }, name));
    if (inWorkspace === undefined) continue;
    if (await leadsInto(machine, inWorkspace, folders))
      return { problem: `The program '${name}' is a file of the workspace: ${inWorkspace}.` };
    const obeyed = await versionFileFor(machine, inWorkspace, workdir);
    if (obeyed !== undefined)
      return { problem: `The program '${name}' is chosen by a version manager, which obeys ${obeyed}.` };
  }
  return { env: guarded };
}

/** Programs that start another one in their place, and where they are put on PATH. */
const versionManager =
  /[/\\](?:shims|\.volta|\.proto)[/\\]|[/\\](?:rustup|rustup-init|volta-shim|mise|asdf|pyenv|rbenv|proto|corepack)(?:\.exe|\.js)?$/iu;

/** What tells them which one, also as a path of the workspace (`rust-toolchain.toml`, `.tool-versions`). */
export const versionFiles =
  `.tool-versions .mise.toml mise.toml mise.local.toml .mise.local.toml .mise mise/config.toml .config/mise.toml .config/mise .prototools
  rust-toolchain rust-toolchain.toml .python-version .node-version .nvmrc package.json .ruby-version .java-version .sdkmanrc .go-version
  .php-version .phpenv-version .perl-version .swift-version .lua-version .crystal-version .scala-version .exenv-version .bun-version
  .deno-version .terraform-version .opentofu-version`.split(/\s+/u);

/** The file by which the folder, or one above it, decides what runs under the name of this program. */
async function versionFileFor(
  { fs, platform }: Machine,
  program: string,
  folder: string,
): Promise<string | undefined> {
  const rules = platform === 'win32' ? win32 : posix;
  const places = [program, await fs.realpath(program).catch(() => program)];
  if (!places.some((place) => versionManager.test(place))) return undefined;
  for (let at = folder; ; at = rules.dirname(at)) {
    for (const name of versionFiles) {
      const file = rules.join(at, name);
      if ((await fs.stat(file).catch(() => undefined)) !== undefined) return file;
    }
    if (rules.dirname(at) === at) return undefined;
  }
}

/** The folders of PATH that lie, links followed, in none of these; as `withSafePath` gives it. */
async function withPathOutside(
  search: Omit<ProgramSearch, 'fs'> & Machine,
  folders: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const kept: string[] = [];
  for (const folder of searchFolders(search))
    if (!(await leadsInto(search, folder, folders))) kept.push(folder);
  return withSafePath({ ...search, env: withPath(search, kept) });
}

/** Whether a path, or where its links lead, lies in one of these folders. What is not there leads nowhere. */
async function leadsInto(
  { fs, platform }: Machine,
  path: string,
  folders: readonly string[],
): Promise<boolean> {
  const real = async (each: string): Promise<string> => await fs.realpath(each).catch(() => each);
  const places = [path, await real(path)];
  const wholes = [...folders, ...(await Promise.all(folders.map(real)))];
  return places.some((place) => wholes.some((folder) => isWithin(platform, folder, place)));
}

function isWithin(platform: NodeJS.Platform, folder: string, path: string): boolean {
  const rules = platform === 'win32' ? win32 : posix;
  // The file systems of macOS and Windows take names for the same that differ in case alone.
  const fold = (text: string): string => (platform === 'linux' ? text : text.toLowerCase());
  const rest = rules.relative(fold(folder), fold(path));
  return rest === '' || (!rest.startsWith(`..${rules.sep}`) && rest !== '..' && !rules.isAbsolute(rest));
}

async function firstProgram(search: ProgramSearch, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths.flatMap((each) => withExtensions(search, each))) {
    const stat = await search.fs.stat(path).catch(() => undefined);
    if (isProgram(stat)) return path;
  }
  return undefined;
}

function withExtensions({ platform, env }: ProgramSearch, path: string): readonly string[] {
  if (platform !== 'win32') return [path];
  const known = (valueOf(env, platform, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';');
  const usable = known.filter((each) => ['.com', '.exe', '.bat', '.cmd'].includes(each));
  if (usable.includes(win32.extname(path).toLowerCase())) return [path];
  return usable.map((extension) => path + extension);
}

function isProgram(stat: FileStat | undefined): boolean {
  return stat?.kind === 'file' && (stat.mode === undefined || (stat.mode & 0o111) !== 0);
}

/** Names of variables ignore case on Windows, where PATH is usually `Path`. */
function valueOf(
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
  name: string,
): string | undefined {
  if (platform !== 'win32') return env[name];
  return Object.entries(env).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
}
