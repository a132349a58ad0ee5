// Threat: a launcher such as npx runs what a registry serves, and what it serves next week is something else under the same command line. So
// consent names the package, is bound to what of it is installed where that can be read without a network, and says where it can't be.
import { posix, win32 } from 'node:path';
import { launchers, type Installer, type Launcher } from './launchers.ts';

/** What a launcher is asked for, as its arguments say. */
export interface FetchedPackage {
  /** Its plain name: `npx`, `uv tool run`. */
  readonly launcher: string;
  /** Whether npm starts it: npx, or npm under that name. */
  readonly byNpm: boolean;
  /** What fetches it in the launcher's place; undefined where nothing does, or not what the launcher would. */
  readonly installer: Installer | undefined;
  /** Everything that it is to fetch, as written; the first one is run. */
  readonly specs: readonly string[];
  /** The program of it that is run, where options name the package. */
  readonly program: string | undefined;
  /** What the program is given. */
  readonly rest: readonly string[];
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

/** Whether nothing at all says what will run: neither what is on the disk nor a version. Pure. */
export function isOpenEnded({ version, unclear }: FetchedPackage): boolean {
  return unclear !== undefined && version === undefined;
}

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
  return { ...found, launcher, byNpm: false, installer: undefined, unclear: unreadBy(launcher) };
}

function unreadBy(launcher: string): string {
  return `${launcher} writes down nothing that could be compared`;
}

function readBy(rules: Launcher, program: string, args: readonly string[]): FetchedPackage | undefined {
  const { separator, verbs = [], byNpm = false, installer } = rules;
  const { specs, beside, words, rest, deciding, unknown, mayHideWord } = readOptions(rules, args);
  const start = words.findIndex((_, at) => verbs.every((verb, next) => words[at + next] === verb));
  if (start === -1 || start > unknown) return undefined;
  const word = words[start + verbs.length];
  const launcher = [program, ...verbs].join(' ');
  const wanted = specs.length > 0 ? specs : word === undefined ? [] : [word];
  const [first] = wanted;
  if (first === undefined) return undefined;
  const { name, version } = readSpec(first);
  const isFixed =
    !mayHideWord && [...wanted, ...beside].every((spec) => isExact(readSpec(spec).version, separator));
  return {
    launcher,
    byNpm,
    installer,
    specs: wanted,
    program: specs.length > 0 ? word : undefined,
    rest,
    word: specs.length > 0 ? undefined : word,
    name,
    version: isFixed ? version : undefined,
    unclear:
      byNpm || installer !== undefined
        ? (rules.unclear ?? whyUnclear({ launcher, installer, wanted, deciding, word }))
        : unreadBy(launcher),
    pinned: (exact) => `${name}${separator}${exact}`,
  };
}

/** A launcher's arguments, told apart. */
interface ReadOptions {
  /** Packages that options name. */
  readonly specs: readonly string[];
  /** Packages that are fetched beside it. */
  readonly beside: readonly string[];
  /** What is no option: the launcher's verbs, a package, its arguments. */
  readonly words: readonly string[];
  /** What follows the last word that was read. */
  readonly rest: readonly string[];
  /** Options that have a say in what is run, with the word that one takes where nobody expects it. */
  readonly deciding: readonly string[];
  /** How many options nobody here knows: each may take the word behind it. */
  readonly unknown: number;
  /** Whether a word that looks like the package may be the value of an option in front of it. */
  readonly mayHideWord: boolean;
}

function readOptions(rules: Launcher, args: readonly string[]): ReadOptions {
  const { from, also = [], takes, harmless, verbs = [], readsOn = false } = rules;
  const withValue = [...from, ...also, ...takes];
  const [specs, beside, words, deciding]: [string[], string[], string[], string[]] = [[], [], [], []];
  let unknown = 0;
  let hasSwallowed = false;
  let at = 0;
  for (; at < args.length; at += 1) {
    if (!readsOn && words.length > verbs.length + unknown) break;
    const arg = args[at] ?? '';
    if (arg === '--' && readsOn) {
      words.push(...args.slice(at + 1));
      break;
    }
    const before = args[at - 1] ?? '';
    // npm takes such a word for the value of any option in front of it.
    if (readsOn && /^(?:true|false|null)$/u.test(arg) && before.startsWith('-')) {
      deciding.push(`${before} ${arg}`);
      hasSwallowed = true;
    }
    if (!arg.startsWith('-')) {
      words.push(arg);
      continue;
    }
    const [option, inline] = arg.startsWith('--') ? splitOnce(arg, '=') : [arg];
    const isHarmless = harmless.includes(option);
    if (!isHarmless && !from.includes(option)) deciding.push(option);
    if (!withValue.includes(option)) unknown += isHarmless || inline !== undefined ? 0 : 1;
    else {
      const value = inline ?? args[(at += 1)] ?? '';
      if (from.includes(option)) specs.push(value);
      else if (also.includes(option)) beside.push(value);
    }
  }
  return {
    ...{ specs, beside, words, deciding, unknown },
    rest: args.slice(at),
    mayHideWord: unknown > 0 || hasSwallowed,
  };
}

/** A package as a command line names it, told apart. Pure. */
export function readSpec(spec: string): { readonly name: string; readonly version?: string } {
  const found = /^(?<name>(?:@[^/@\s]+\/)?[^/@:=\s]+)(?:(?:@|==)(?<version>[^/\s]+))?$/u.exec(spec)?.groups;
  const { name = spec, version } = found ?? {};
  return version === undefined ? { name } : { name, version };
}

/** What a registry never serves another content for. npm takes four numbers for a tag, which its publisher can move. */
function isExact(version: string | undefined, separator: Launcher['separator']): boolean {
  const form = separator === '@' ? /^v?\d+\.\d+\.\d+(?:[-+][\w.+-]*)?$/u : /^v?\d+(?:\.\d+){1,3}[\w.+-]*$/u;
  return version !== undefined && form.test(version);
}

/** A name, perhaps with a version, a range or a tag. */
const registrySpec = /^(?:@[\w-][\w.-]*\/)?\w[\w.-]*(?:@[\w.+^~<>=*-]+)?$/u;

/** Whether a registry serves it, as far as it is written. Pure. */
export function isOfRegistry(spec: string): boolean {
  return registrySpec.test(spec);
}

interface PackageChoice extends Pick<FetchedPackage, 'launcher' | 'installer'> {
  readonly wanted: readonly string[];
  readonly deciding: readonly string[];
  readonly word: string | undefined;
}

function whyUnclear({ launcher, installer, wanted, deciding, word }: PackageChoice): string | undefined {
  const [option] = deciding;
  // npm takes what ends like an archive for one of the folder.
  const foreign = wanted.find((spec) => !registrySpec.test(spec) || /\.(?:tgz|tar|tar\.gz)$/iu.test(spec));
  if (foreign !== undefined) return `${foreign} is no package of a registry`;
  if (option !== undefined) return `${option} has a say in what is run`;
  if (installer === undefined) return undefined;
  if (word === undefined) return 'no program of it is named';
  const isAlias = installer.aliases?.includes(readSpec(word).name) === true;
  return isAlias ? `${launcher} takes ${word} for another package` : undefined;
}

function splitOnce(text: string, mark: string): readonly [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
