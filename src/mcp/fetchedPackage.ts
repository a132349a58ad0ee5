// Threat: a launcher such as npx runs what a registry serves, and what it serves next week is something else under the same command line. So
// consent names the package, is bound to what of it is installed where that can be read without a network, and says where it can't be.
import { createHash } from 'node:crypto';
import { posix, win32 } from 'node:path';
import { isRecord, parseJson } from '../base/json.ts';
import type { FileSystem } from '../host/ports.ts';

/** What a launcher is asked for, as its arguments say. */
export interface FetchedPackage {
  /** Its plain name: `npx`, `uv tool run`. */
  readonly launcher: string;
  /** Whether npm starts it: npx, or npm under that name. */
  readonly byNpm: boolean;
  /** Everything that it is to fetch, as written; the first one is run. */
  readonly specs: readonly string[];
  /** The word that npx looks for among the programs of the folder before it takes it for a package; undefined where options name that. */
  readonly word: string | undefined;
  readonly name: string;
  /** Undefined where the arguments name none that is exact. */
  readonly version: string | undefined;
  /** Why what is on the disk says nothing of what runs, as the end of a sentence; undefined where it does. */
  readonly unclear: string | undefined;
  /** The name with an exact version, as this launcher takes it. */
  readonly pinned: (version: string) => string;
}

/** A package that is on the disk, as npm wrote it down when it was installed. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** Of the registry's archive; empty where npm noted none. */
  readonly integrity: string;
  /** A hash of its programs, and in npm's own cache of name, version and integrity of all that was installed with it. */
  readonly content: string;
  /** The folder whose `node_modules` has it. */
  readonly folder: string;
  /** False in npm's own cache, where only npm writes. */
  readonly isLocal: boolean;
}

interface Launcher {
  /** The words that make it a launcher, where it is more than that. */
  readonly verbs?: readonly string[];
  /** Options that name a package; with them the first word is a program of it. */
  readonly from: readonly string[];
  /** Options that name a package which is fetched beside it. */
  readonly also?: readonly string[];
  /** Further options that take a word. */
  readonly takes: readonly string[];
  /** Options that change nothing of what is run. */
  readonly harmless: readonly string[];
  readonly separator: '@' | '==';
  /** It takes options behind the package for its own, up to `--`. */
  readonly readsOn?: true;
  /** npm starts it, which writes down what it has installed. */
  readonly byNpm?: true;
  /** Why the package that is named is not the one that is run, as the end of a sentence. */
  readonly unclear?: string;
}

const nodeLike: Launcher = {
  from: ['-p', '--package'],
  takes: [
    '--registry',
    '--cache',
    '--userconfig',
    '--prefix',
    '--loglevel',
    '-w',
    '--workspace',
    '--cwd',
    '-C',
    '--dir',
  ],
  harmless:
    `-y --yes --no --no-install -q --quiet -s --silent -d --loglevel --ignore-scripts --offline --prefer-offline --prefer-online --`.split(
      ' ',
    ),
  separator: '@',
};
const pythonLike: Launcher = {
  from: ['--from', '--spec'],
  also: ['--with'],
  takes: ['-p', '--python', '--index-url', '--index', '--default-index', '--cache-dir', '-i', '--pip-args'],
  harmless: [],
  separator: '==',
};
const npmReads = { readsOn: true, byNpm: true } as const;
/** By its command, with the words behind it that make it one. Of the others but npm's nothing on the disk says what runs. */
const launchers: Readonly<Record<string, readonly Launcher[]>> = {
  npx: [{ ...nodeLike, byNpm: true }],
  npm: [
    // npm takes beginnings of its commands, where only one begins so.
    ...['exec', 'exe', 'x'].map((verb) => ({ ...nodeLike, verbs: [verb], ...npmReads })),
    ...['init', 'create', 'innit'].map((verb) => ({
      ...{ ...nodeLike, verbs: [verb], ...npmReads },
      unclear: `npm ${verb} runs a package whose name it makes of this one`,
    })),
  ],
  pnpx: [nodeLike],
  pnpm: [{ ...nodeLike, verbs: ['dlx'] }],
  yarn: [{ ...nodeLike, verbs: ['dlx'] }],
  bunx: [nodeLike],
  bun: [{ ...nodeLike, verbs: ['x'] }],
  uvx: [pythonLike],
  uv: [{ ...pythonLike, verbs: ['tool', 'run'] }],
  pipx: [{ ...pythonLike, verbs: ['run'] }],
};

/** What a command line has fetched, or undefined where it starts no launcher that is known. Pure. */
export function readFetched(command: string, args: readonly string[]): FetchedPackage | undefined {
  // Names of files tell no case apart on Windows and macOS.
  const program = posix
    .basename(win32.basename(command))
    .replace(/\.(?:cmd|exe)$/iu, '')
    .toLowerCase();
  if (program === 'cmd') return readBehindShell(args);
  const rows = Object.hasOwn(launchers, program) ? launchers[program] : undefined;
  for (const rules of rows ?? []) {
    const found = readBy(rules, program, args);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `cmd /c npx …`, as servers are started on Windows: what npm has on the disk is not looked up through another program. */
function readBehindShell(args: readonly string[]): FetchedPackage | undefined {
  const at = args.findIndex((arg) => /^\/[ck]$/iu.test(arg));
  const [command, ...rest] = at === -1 ? [] : args.slice(at + 1).flatMap((arg) => arg.split(/\s+/u));
  const found = command === undefined ? undefined : readFetched(command, rest);
  if (found === undefined) return undefined;
  const launcher = `cmd /c ${found.launcher}`;
  return { ...found, launcher, byNpm: false, unclear: unreadBy(launcher) };
}

function unreadBy(launcher: string): string {
  return `${launcher} writes down nothing that could be compared`;
}

function readBy(rules: Launcher, program: string, args: readonly string[]): FetchedPackage | undefined {
  const { from, also = [], takes, harmless, separator, verbs = [], readsOn = false, byNpm = false } = rules;
  const specs: string[] = [];
  const beside: string[] = [];
  const others: string[] = [];
  const unknown: string[] = [];
  const words: string[] = [];
  const isRead = (): boolean => words.length > verbs.length + unknown.length;
  for (let at = 0; at < args.length && (readsOn || !isRead()); at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--' && readsOn) {
      words.push(...args.slice(at + 1));
      break;
    }
    const [option, value] = arg.startsWith('--') ? splitOnce(arg, '=') : [arg];
    const isOption = arg.startsWith('-');
    if (isOption && ![...from, ...harmless].includes(option)) others.push(option);
    // It may take the word behind it.
    if (isOption && value === undefined && ![...from, ...also, ...takes, ...harmless].includes(option))
      unknown.push(option);
    // npm takes such a word for the value of any option in front of it.
    const before = args[at - 1] ?? '';
    if (readsOn && /^(?:true|false|null)$/u.test(arg) && before.startsWith('-'))
      others.push(`${before} ${arg}`);
    if (from.includes(option)) specs.push(value ?? args[(at += 1)] ?? '');
    else if (also.includes(option)) beside.push(value ?? args[(at += 1)] ?? '');
    else if (takes.includes(option)) at += value === undefined ? 1 : 0;
    else if (!isOption) words.push(arg);
  }
  const start = words.findIndex((_, at) => verbs.every((verb, next) => words[at + next] === verb));
  if (start === -1 || start > unknown.length) return undefined;
  const word = words[start + verbs.length];
  const launcher = [program, ...verbs].join(' ');
  const wanted = specs.length > 0 ? specs : word === undefined ? [] : [word];
  const [first] = wanted;
  if (first === undefined) return undefined;
  const { name, version } = readSpec(first);
  const isFixed =
    unknown.length === 0 &&
    [...wanted, ...beside].every((spec) => isExact(readSpec(spec).version, separator));
  return {
    launcher,
    byNpm,
    specs: wanted,
    word: specs.length > 0 ? undefined : word,
    name,
    version: isFixed && !others.some((each) => each.includes(' ')) ? version : undefined,
    unclear: byNpm ? (rules.unclear ?? whyUnclear(wanted, others)) : unreadBy(launcher),
    pinned: (exact) => `${name}${separator}${exact}`,
  };
}

function readSpec(spec: string): { readonly name: string; readonly version?: string } {
  const found = /^(?<name>(?:@[^/@\s]+\/)?[^/@:=\s]+)(?:(?:@|==)(?<version>[^/\s]+))?$/u.exec(spec)?.groups;
  const { name = spec, version } = found ?? {};
  return version === undefined ? { name } : { name, version };
}

/** What a registry never serves another content for. npm takes four numbers for a tag, which its publisher can move. */
function isExact(version: string | undefined, separator: Launcher['separator']): boolean {
  const form = separator === '@' ? /^v?\d+\.\d+\.\d+(?:[-+][\w.+-]*)?$/u : /^v?\d+(?:\.\d+){1,3}[\w.+-]*$/u;
  return version !== undefined && form.test(version);
}

/** A name, perhaps with a version, a range or a tag. npm takes what ends like an archive for one of the folder. */
const registrySpec = /^(?:@[\w-][\w.-]*\/)?[\w-][\w.-]*(?:@[\w.+^~<>=*-]+)?$/u;

function whyUnclear(specs: readonly string[], options: readonly string[]): string | undefined {
  const [option] = options;
  const foreign = specs.find((spec) => !registrySpec.test(spec) || /\.(?:tgz|tar|tar\.gz)$/iu.test(spec));
  if (foreign !== undefined) return `${foreign} is no package of a registry`;
  return option === undefined ? undefined : `${option} has a say in what is run`;
}

function splitOnce(text: string, mark: string): readonly [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
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
  { unclear, specs, name, version }: FetchedPackage,
  { fs, platform, env, cwd }: PackageMachine,
): Promise<InstalledPackage | undefined> {
  if (unclear !== undefined) return undefined;
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
  for (let folder = cwd; ; folder = rules.dirname(folder)) {
    const found = await read(folder, true);
    if (found !== undefined) return found;
    if (rules.dirname(folder) === folder) break;
  }
  const cache = cacheFolder({ platform, env });
  return cache === undefined ? undefined : await read(rules.join(cache, '_npx', npxFolder(specs)), false);
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

/** Whether nothing at all says what will run: neither what is on the disk nor a version. Pure. */
export function isOpenEnded({ version, unclear }: FetchedPackage): boolean {
  return unclear !== undefined && version === undefined;
}

/** The package as a line for people. Pure. */
export function describePackage(fetched: FetchedPackage, installed: InstalledPackage | undefined): string {
  const { byNpm, name, version, unclear } = fetched;
  if (installed === undefined && byNpm && unclear !== undefined) return `${name}, not compared`;
  if (installed === undefined)
    return version === undefined
      ? `${name}, no version is fixed`
      : `${name} ${version}, fetched at the start`;
  const { integrity, folder } = installed;
  return `${name} ${installed.version} of ${folder}${integrity === '' ? '' : ` (${shortOf(installed)})`}`;
}

/** What a person should know of it before agreeing. Pure. */
export function findPackageWarnings(
  { launcher, byNpm, specs, name, version, unclear, pinned }: FetchedPackage,
  installed: InstalledPackage | undefined,
): readonly string[] {
  const exact = pinned(installed?.version ?? '1.2.3');
  if (!byNpm)
    return [
      version === undefined
        ? `What ${launcher} runs can change at every start: only the command line is compared, and the version of ${name} is not fixed. Name one: ${exact}; or install it, and name its program in place of ${launcher}. Until then you are asked again after 30 days.`
        : `What ${launcher} runs can change at every start: only the command line is compared, not what it fetches for ${name} ${version}. To have it compared, install it, and name its program in place of ${launcher}.`,
    ];
  return [
    ...(version === undefined && registrySpec.test(specs[0] ?? '')
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
