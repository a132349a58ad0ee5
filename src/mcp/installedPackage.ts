// Threat: what npm has put on the disk is exchanged, or another copy in a folder of a stranger is run in its place, under the same name and
// version. So what npm would take is found as npm finds it, without a network, and hashed with what was installed with it.
import { createHash } from 'node:crypto';
import { posix, win32 } from 'node:path';
import { isRecord, parseJson } from '../base/json.ts';
import type { FileSystem } from '../host/ports.ts';
import { isOfRegistry, type FetchedPackage } from './readFetched.ts';

/** A package that is on the disk, as the package manager wrote it down when it was installed. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** Of the registry's archive; empty where none was noted. */
  readonly integrity: string;
  /**
   * In a folder of Pincer's a hash of all files there; else of its programs, and in npm's own cache of name, version and integrity of all that
   * was installed with it.
   */
  readonly content: string;
  /** The folder whose `node_modules` has it. */
  readonly folder: string;
  /** False in npm's own cache and in folders of Pincer's, where only a package manager writes. */
  readonly isLocal: boolean;
}

export interface PackageMachine {
  readonly fs: Pick<FileSystem, 'stat' | 'readText'>;
  readonly platform: NodeJS.Platform;
  /** As the launcher gets it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder that it runs in. */
  readonly cwd: string;
}

const maxBytes = 50_000_000;

/**
 * The package that npx would take from the disk: that of the folder it runs in, else that of its own cache. Undefined where it would fetch
 * one, and for launchers that write down nothing.
 */
export async function findInstalled(
  { byNpm, unclear, specs, name, version }: FetchedPackage,
  { fs, platform, env, cwd }: PackageMachine,
): Promise<InstalledPackage | undefined> {
  if (!byNpm || unclear !== undefined) return undefined;
  const rules = platform === 'win32' ? win32 : posix;
  const programsOf = async (
    modules: string,
    manifest: Readonly<Record<string, unknown>> | undefined,
  ): Promise<readonly string[]> => {
    const bin = manifest?.['bin'];
    const files = (isRecord(bin) ? Object.values(bin) : [bin]).filter((each) => typeof each === 'string');
    const paths = files.map((file) => rules.join(modules, ...name.split('/'), file));
    return await Promise.all(
      paths.map(async (path) =>
        (await fs.stat(path))?.kind === 'file' ? await fs.readText(path, maxBytes) : '',
      ),
    );
  };
  const read = async (folder: string, isLocal: boolean): Promise<InstalledPackage | undefined> => {
    const modules = rules.join(folder, 'node_modules');
    const manifest = await readJson(fs, rules.join(modules, ...name.split('/'), 'package.json'));
    const installed = manifest?.['version'];
    if (typeof installed !== 'string') return undefined;
    if (isLocal && version !== undefined && installed !== version) return undefined;
    const lock = await readJson(fs, rules.join(modules, '.package-lock.json'));
    const packages = isRecord(lock?.['packages']) ? lock['packages'] : {};
    return {
      name,
      version: installed,
      integrity: integrityOf(packages[`node_modules/${name}`]),
      content: hashOf([...(isLocal ? [] : lockLines(packages)), ...(await programsOf(modules, manifest))]),
      folder,
      isLocal,
    };
  };
  for (const folder of foldersUpward(cwd, rules)) {
    const found = await read(folder, true);
    if (found !== undefined) return found;
  }
  const cache = cacheFolder({ platform, env });
  return cache === undefined ? undefined : await read(rules.join(cache, '_npx', npxFolder(specs)), false);
}

/** A folder and all above it, as npm and node look for `node_modules`. Pure. */
export function foldersUpward(folder: string, { dirname }: Pick<typeof posix, 'dirname'>): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpward(above, { dirname })];
}

/** A setting of npm as a variable: in any case, the last one counts, as npm reads it. */
export function settingIn(env: PackageMachine['env'], name: string): string | undefined {
  const key = `npm_config_${name}`;
  const said = Object.entries(env).findLast(([each]) => each.toLowerCase() === key)?.[1];
  return said === '' ? undefined : said;
}

/** Where npm keeps what it has fetched; undefined where nothing says. Pure. */
export function cacheFolder({ platform, env }: Pick<PackageMachine, 'platform' | 'env'>): string | undefined {
  const rules = platform === 'win32' ? win32 : posix;
  const said = settingIn(env, 'cache');
  if (said !== undefined) return said;
  const home = platform === 'win32' ? env['LOCALAPPDATA'] : env['HOME'];
  return home === undefined ? undefined : rules.join(home, platform === 'win32' ? 'npm-cache' : '.npm');
}

/** How npm names the folder of what it was asked for. */
function npxFolder(specs: readonly string[]): string {
  const sorted = [...specs].sort((a, b) => a.localeCompare(b, 'en'));
  return createHash('sha512').update(sorted.join('\n')).digest('hex').slice(0, 16);
}

function integrityOf(locked: unknown): string {
  return isRecord(locked) && typeof locked['integrity'] === 'string' ? locked['integrity'] : '';
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function lockLines(packages: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(packages)
    .map(([path, each]) => `${path} ${String(isRecord(each) ? each['version'] : '')} ${integrityOf(each)}`)
    .sort();
}

async function readJson(
  fs: PackageMachine['fs'],
  path: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if ((await fs.stat(path))?.kind !== 'file') return undefined;
  const found = parseJson(await fs.readText(path, maxBytes));
  return isRecord(found) ? found : undefined;
}

/** How what would run differs from what was agreed to. One that npm has put into its cache since counts as the first one. Pure. */
export function describePackageChanges(
  before: InstalledPackage | undefined,
  after: InstalledPackage | undefined,
): readonly string[] {
  const named = ({ name, version }: InstalledPackage): string => `${name} ${version}`;
  if (after === undefined)
    return before === undefined
      ? []
      : [
          `the package ${named(before)} is not installed any more: whatever the registry serves would run in its place`,
        ];
  if (before === undefined)
    return after.isLocal ? [`runs the package ${named(after)} of the folder ${after.folder}`] : [];
  if (before.version !== after.version) return [`package: ${named(before)} → ${named(after)}`];
  return [
    ...(before.folder === after.folder ? [] : [`the package ${named(after)} lies in ${after.folder} now`]),
    ...(before.integrity === after.integrity
      ? []
      : [`the package ${named(after)} has another content: ${shortOf(before)} → ${shortOf(after)}`]),
    ...(before.content === after.content
      ? []
      : [`the files of the package ${named(after)}, or what was installed with it, have changed`]),
  ];
}

function shortOf({ integrity }: InstalledPackage): string {
  return integrity === '' ? 'none' : `${integrity.slice(0, 19)}…`;
}

/** The package as a line for people. Pure. */
export function describePackage(fetched: FetchedPackage, installed: InstalledPackage | undefined): string {
  const { byNpm, installer, name, version, unclear } = fetched;
  if (installed === undefined && (byNpm || installer !== undefined) && unclear !== undefined)
    return `${name}, not compared`;
  if (installed === undefined)
    return version === undefined
      ? `${name}, no version is fixed`
      : `${name} ${version}, fetched at the start`;
  const { integrity, folder } = installed;
  return `${name} ${installed.version} of ${folder}${integrity === '' ? '' : ` (${shortOf(installed)})`}`;
}

/** What a person should know of it before agreeing. Pure. */
export function findPackageWarnings(
  { launcher, byNpm, installer, specs, name, version, unclear, pinned }: FetchedPackage,
  installed: InstalledPackage | undefined,
): readonly string[] {
  const exact = pinned(installed?.version ?? '1.2.3');
  if (!byNpm && installer === undefined)
    return [
      version === undefined
        ? `The version of ${name} is not pinned: each start may run another program. Name one: ${exact}; or install it, and name its program in place of ${launcher}. Until then only the command line is compared, and you are asked again after 30 days.`
        : `The command line pins ${name} to ${version}, and no more is compared: what ${launcher} fetches with it may be another one at each start. To have it compared, install it, and name its program in place of ${launcher}.`,
    ];
  return [
    ...(version === undefined && isOfRegistry(specs[0] ?? '')
      ? [
          `${launcher} runs whatever the registry serves: the version of ${name} is not fixed. Name one: ${exact}.`,
        ]
      : []),
    ...(installed === undefined
      ? [
          unclear === undefined
            ? `${launcher} fetches ${name} at the first start; what came is compared from then on.`
            : `${launcher} fetches ${name} and runs it: what came is not compared, since ${unclear}.`,
        ]
      : []),
    ...(installed?.isLocal === true
      ? [`It is taken from the folder ${installed.folder}: whoever writes there decides what runs.`]
      : []),
  ];
}
