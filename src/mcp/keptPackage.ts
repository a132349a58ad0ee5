// Threat: what a launcher fetches is exchanged between two starts. It looks for a newer one after a day, a tag has moved, the settings of a
// strange folder name another registry or cache, a file of its cache is overwritten. So the package manager of the launcher puts the package
// into a folder of Pincer's, once, where no setting of the folder that is open counts; all files there are hashed before each start; and
// what was hashed is started there, without the launcher. A link that leads out of the folder can't be compared, and nothing starts by it.
import { createHash } from 'node:crypto';
import { posix, win32 } from 'node:path';
import { PincerError } from '../base/errors.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { ifMissing } from '../host/ifMissing.ts';
import type { FileSystem } from '../host/ports.ts';
import { findProgram, type ProgramSearch } from '../sandbox/findProgram.ts';
import { hashFile } from './hashFile.ts';
import type { InstalledPackage } from './installedPackage.ts';
import type { Installer } from './launchers.ts';
import { readSpec, type FetchedPackage } from './readFetched.ts';

interface KeptMachine {
  readonly fs: Pick<FileSystem, 'stat' | 'realpath' | 'readRange' | 'readText' | 'readDirectory'>;
  readonly platform: NodeJS.Platform;
  /** `~/.pincer`: absolute path. */
  readonly home: string;
}

/** What is to be fetched before a start. */
export interface PackageFetch {
  readonly name: string;
  /** Absolute path of the folder that gets it, and nothing else. */
  readonly folder: string;
  readonly files: Readonly<Record<string, string>>;
  /** Absolute path of the package manager. */
  readonly program: string;
  readonly args: readonly string[];
}

/** How a program is started where that is not as the command line says. */
export interface LaunchStart {
  readonly args: readonly string[];
  /** Variables that it gets on top of its own. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of a folder that comes before all others of its PATH. */
  readonly programs?: string;
}

/** What is started of a package in a folder of Pincer's, or what is to be fetched into it before. */
interface KeptPlan {
  readonly installed?: InstalledPackage;
  /** Absolute path of what is started, or of the package manager. */
  readonly program: string;
  readonly start?: LaunchStart;
  readonly fetch?: PackageFetch;
}

interface KeptParts extends KeptMachine {
  readonly search: ProgramSearch;
  /** Absolute path of the package manager. */
  readonly manager: string;
}

/** @throws PincerError `mcp_package_no_program`, `mcp_package_link`, `mcp_program_too_large` */
export async function planKept(
  fetched: FetchedPackage,
  installer: Installer,
  { search, manager, ...machine }: KeptParts,
): Promise<KeptPlan> {
  const kept = await findKept(fetched, installer, machine);
  if (kept === undefined)
    return { program: manager, fetch: planFetch(fetched, installer, { ...machine, manager }) };
  const { installed, program, programs } = kept;
  const isBare = installer.isNode === true && (await findProgram(search, 'node')) === undefined;
  const start = { args: [...(isBare ? [program] : []), ...fetched.rest], env: {}, programs };
  return { installed, program: isBare ? manager : program, start };
}

/** The package manager beside its launcher, else the one on the PATH. */
export async function findManager(
  search: ProgramSearch,
  { program }: Installer,
  launcher: string,
): Promise<string | undefined> {
  const rules = search.platform === 'win32' ? win32 : posix;
  const beside = await findProgram(search, rules.join(rules.dirname(launcher), program));
  return beside ?? (await findProgram(search, program));
}

interface StoredProgram {
  readonly installed: InstalledPackage;
  /** Absolute path. */
  readonly program: string;
  /** Absolute path of the folder with the programs of all that was fetched with it. */
  readonly programs: string;
}

/** Written last: without it what lies there may be half of it. */
export const doneName = 'pincer-fetched';
const maxManifestBytes = 50_000_000;

/** What puts the package into its folder. */
function planFetch(
  { name, specs }: FetchedPackage,
  installer: Installer,
  { platform, home, manager }: Pick<KeptParts, 'platform' | 'home' | 'manager'>,
): PackageFetch {
  return {
    name,
    folder: folderOf(installer, specs, { platform, home }),
    files: installer.project(specs.map((spec) => readSpec(spec).name)),
    program: manager,
    args: [...installer.args, ...specs],
  };
}

/** One for each package manager and what it was asked for. */
function folderOf(
  { program }: Installer,
  specs: readonly string[],
  { platform, home }: Pick<KeptMachine, 'platform' | 'home'>,
): string {
  const key = createHash('sha256').update(JSON.stringify([program, ...specs]));
  return (platform === 'win32' ? win32 : posix).join(home, 'packages', key.digest('hex').slice(0, 16));
}

/** Undefined where nothing was fetched yet. */
async function findKept(
  { name, specs, program: wanted }: FetchedPackage,
  installer: Installer,
  { fs, platform, home }: KeptMachine,
): Promise<StoredProgram | undefined> {
  const rules = platform === 'win32' ? win32 : posix;
  const folder = folderOf(installer, specs, { platform, home });
  if ((await fs.stat(rules.join(folder, doneName)))?.kind !== 'file') return undefined;
  const textOf = (path: string): Promise<string> =>
    fs.readText(rules.join(folder, path), maxManifestBytes).catch(ifMissing(''));
  const manifest = parseJson(await textOf(`node_modules/${name}/package.json`));
  const version = isRecord(manifest) ? manifest['version'] : undefined;
  if (!isRecord(manifest) || typeof version !== 'string') return undefined;
  const programs = rules.join(folder, 'node_modules', '.bin');
  const called = wanted ?? programOf(name, manifest['bin']);
  const program = called === undefined ? undefined : await findShim(fs, platform, programs, called);
  if (program === undefined) throw noProgram(name, called);
  const [known, at] = [name, version].map((each) => each.replaceAll(/[^\w@/-]/gu, String.raw`\$&`));
  const place = installer.integrity(known ?? '', at ?? '');
  const integrity = place.exec(await textOf(installer.lock))?.[1] ?? '';
  const content = await hashFolder(fs, folder, rules);
  return { installed: { name, version, integrity, content, folder, isLocal: false }, program, programs };
}

/** The program that a package brings under its own name, or the only one. */
function programOf(name: string, bin: unknown): string | undefined {
  const own = name.replace(/^@[^/]*\//u, '');
  const names = typeof bin === 'string' ? [own] : isRecord(bin) ? Object.keys(bin) : [];
  return names.includes(own) ? own : names.length === 1 ? names[0] : undefined;
}

async function findShim(
  fs: KeptMachine['fs'],
  platform: NodeJS.Platform,
  programs: string,
  name: string,
): Promise<string | undefined> {
  if (/[\\/]/u.test(name)) return undefined;
  const rules = platform === 'win32' ? win32 : posix;
  const names = platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  for (const path of names.map((each) => rules.join(programs, each)))
    if ((await fs.stat(path))?.kind === 'file') return path;
  return undefined;
}

/** A hash of all that lies there: each file's path and content, and where each link leads. */
async function hashFolder(
  fs: KeptMachine['fs'],
  folder: string,
  { join, relative, isAbsolute }: Pick<typeof posix, 'join' | 'relative' | 'isAbsolute'>,
): Promise<string> {
  const root = await fs.realpath(folder);
  const lines: string[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const { name, kind } of await fs.readDirectory(join(root, below))) {
      const path = join(below, name);
      if (kind === 'directory') await walk(path);
      else if (kind === 'file') lines.push(JSON.stringify([path, await hashFile(fs, join(root, path))]));
      else if (kind === 'symlink') {
        const real = await fs.realpath(join(root, path)).catch(ifMissing(undefined));
        const target = real === undefined ? '' : relative(root, real);
        if (/^\.\.(?:[\\/]|$)/u.test(target) || isAbsolute(target)) throw leadsOut(join(root, path));
        lines.push(JSON.stringify([path, 'to', target]));
      }
    }
  };
  await walk('');
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

function noProgram(name: string, program: string | undefined): PincerError {
  const what = program === undefined ? 'no program, or several' : `no program ${program}`;
  return new PincerError('mcp_package_no_program', `The package ${name} has ${what}.`, {
    hint: 'Name the package and its program: --package NAME PROGRAM.',
  });
}

function leadsOut(path: string): PincerError {
  return new PincerError('mcp_package_link', `${path} leads to a place that can't be compared.`, {
    hint: 'Install the package yourself, and name its program in the entry of the server.',
  });
}
