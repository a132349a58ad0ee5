// Threat: what stands behind a harmless command makes another one of it. So arguments are read as the program itself reads them, option
// by option, and a single one that the table does not name makes the whole command ask.
import {
  harmlessCommands,
  type HarmlessCommand,
  type Recursion,
  type ShownFiles,
} from './harmlessCommands.ts';
import type { LineWord } from './readLine.ts';
import { runnerCommands } from './runnerCommands.ts';

/** A command that may run without a question, where its files are no secret and nothing of the workspace runs by it. */
export interface HarmlessUse {
  /** Its row of the table: `git diff`. */
  readonly name: string;
  readonly command: HarmlessCommand;
  /** Words that name files whose text it shows. */
  readonly reads: readonly LineWord[];
  /** Words that name files or folders about which it shows facts. */
  readonly names: readonly LineWord[];
  /** Values of options behind an operand: where a program's own reading of options ends with the first operand, they name files. */
  readonly mayRead: readonly LineWord[];
  /**
   * There where it reads all files below folders, too; below the one it runs in where it names none: all of them, without `.git`, or
   * without any name that has a dot in front.
   */
  readonly walks?: 'all' | 'without .git' | 'visible';
  /** The folder that Git is told to run in (`-C`). */
  readonly folder?: LineWord;
  /** How it runs without a question: with the options that the table adds. */
  readonly argv: readonly string[];
  /** Git shows the text of files that this command names: it is asked to list them first. */
  readonly listing?: readonly string[];
}

/** The names of all rows that begin with these words. */
export function knownNames(start: string): string[] {
  const names = [...Object.keys(harmlessCommands), ...Object.keys(runnerCommands)];
  return names.filter((name) => name === start || name.startsWith(`${start} `));
}

/**
 * How the words of a command use a row of the table of just these words; undefined where there is no such row, or where anything else
 * stands beside them. Pure.
 */
export function findHarmlessUse(name: string, given: readonly LineWord[]): HarmlessUse | undefined {
  const rows = Object.hasOwn(harmlessCommands, name) ? harmlessCommands : runnerCommands;
  const command = Object.hasOwn(rows, name) ? rows[name] : undefined;
  const start = readGitStart(given);
  const own = name.split(' ');
  if (command === undefined || start === undefined) return undefined;
  const { words, folder } = start;
  if (!own.every((word, at) => words[at]?.text === word && words[at].isPlain)) return undefined;
  const rest = words.slice(own.length);
  const read = readArguments(command, rest);
  if (read === undefined) return undefined;
  const hasOption = (list: string): boolean => list.split(' ').some((each) => read.options.has(each));
  const { recursion, shows } = command;
  const isWalking = recursion !== undefined && (recursion.with === undefined || hasOption(recursion.with));
  const walks = isWalking ? walksOf(recursion, hasOption) : undefined;
  const limit = walks === undefined || walks === 'all' ? undefined : recursion?.adds;
  const adds = [command.adds, limit].flatMap((each) => each?.split(' ') ?? []);
  // What becomes file names is for a shell, which such options do not reach.
  if (adds.length > 0 && rest.some(({ expands }) => expands)) return undefined;
  const isShowing =
    shows !== undefined &&
    (hasOption(shows.with ?? '') || (shows.unless !== undefined && !hasOption(shows.unless)));
  const listing = isShowing ? listingOf(shows, adds, read, rest) : undefined;
  const argvOf = (words: readonly LineWord[]): string[] => words.map(({ text }) => text);
  const before = given.slice(0, given.length - words.length + 1);
  return {
    name,
    command,
    reads: read.reads,
    names: read.names,
    mayRead: read.mayRead,
    ...(walks === undefined ? {} : { walks }),
    ...(folder === undefined ? {} : { folder }),
    argv: [...argvOf(before), ...own.slice(1), ...adds, ...argvOf(rest)],
    ...(listing === undefined ? {} : { listing: [...argvOf(before), ...listing] }),
  };
}

function walksOf(
  { unhides, isWithoutGit }: Recursion,
  hasOption: (list: string) => boolean,
): NonNullable<HarmlessUse['walks']> {
  if (isWithoutGit === true) return 'without .git';
  return unhides === undefined || hasOption(unhides) ? 'all' : 'visible';
}

/** Git's own options in front of its subcommand that change nothing about what it does, but for where. */
function readGitStart(
  words: readonly LineWord[],
): { readonly words: readonly LineWord[]; readonly folder?: LineWord } | undefined {
  const [program, ...rest] = words;
  if (program?.text !== 'git') return { words };
  let folder: LineWord | undefined;
  let at = 0;
  for (; at < rest.length; at += 1) {
    const text = rest[at]?.text ?? '';
    if (text === '-C') {
      const named = rest[at + 1];
      if (folder !== undefined || named === undefined || named.expands || leadsOutside(named))
        return undefined;
      folder = named;
      at += 1;
    } else if (!['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs'].includes(text)) break;
  }
  return { words: [program, ...rest.slice(at)], ...(folder === undefined ? {} : { folder }) };
}

/** The same question, answered with the names of files only; undefined where the words themselves name all of them. */
function listingOf(
  { list, drop = '' }: ShownFiles,
  adds: readonly string[],
  { options }: Arguments,
  words: readonly LineWord[],
): readonly string[] | undefined {
  const dropped = new Set(drop.split(' ').flatMap((option) => options.get(option) ?? []));
  const kept = words.filter((_, at) => !dropped.has(at)).map(({ text }) => text);
  // What a revision holds under a path is judged by that path.
  const isFile = (word: string): boolean => /^[^-].*:./u.test(word);
  if (!list.startsWith('log')) return [...list.split(' '), ...adds, ...kept];
  const operands = kept.filter((word) => !word.startsWith('-'));
  if (operands.length > 0 && operands.every(isFile)) return undefined;
  return [...list.split(' '), ...adds, ...kept.filter((word) => !isFile(word))];
}

interface Arguments {
  /** Their names as the table writes them, and the places of their words and values. */
  readonly options: ReadonlyMap<string, readonly number[]>;
  readonly reads: readonly LineWord[];
  readonly names: readonly LineWord[];
  readonly mayRead: readonly LineWord[];
}

/** What an option may be given; `isNeeded` says that it always is. */
interface OptionSpec {
  readonly kind?: string;
  readonly isNeeded: boolean;
}

function specsOf(options: string): ReadonlyMap<string, OptionSpec> {
  const found = new Map<string, OptionSpec>();
  for (const each of options.split(' ')) {
    const [, name = each, open, kind] = /^(-[^[=]+)(\[)?(?:=([^\]]+)\]?)?$/u.exec(each) ?? [];
    found.set(name, {
      ...(kind === undefined ? {} : { kind }),
      isNeeded: kind !== undefined && open === undefined,
    });
  }
  return found;
}

/** Reads options and operands; undefined where one of them is not in the table. */
function readArguments(command: HarmlessCommand, words: readonly LineWord[]): Arguments | undefined {
  const isAny = command.options === 'any';
  const specs = isAny ? new Map<string, OptionSpec>() : specsOf(command.options ?? '');
  const options = new Map<string, readonly number[]>();
  const found: { reads: LineWord[]; names: LineWord[]; mayRead: LineWord[] } = {
    reads: [],
    names: [],
    mayRead: [],
  };
  const operands: LineWord[] = [];
  const take = (kind: string, word: LineWord): boolean => {
    if ((kind === 'file' || kind === 'name') && isNetworkPath(word.text)) return false;
    if (kind === 'file') found.reads.push(word);
    if (kind === 'name') found.names.push(word);
    return isValue(kind, word);
  };
  const showsText = /file|shown/u.test(command.operands ?? '');
  let isEnded = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (isEnded || !word.text.startsWith('-') || word.text === '-') {
      operands.push(word);
      continue;
    }
    if (word.text === '--') {
      isEnded = true;
      continue;
    }
    if (isAny) continue;
    if (word.expands) return undefined;
    const read = readOption(specs, word);
    if (read === undefined) return undefined;
    const first = at;
    if (read.kind !== undefined) {
      const value = read.value ?? words[(at += 1)];
      if (value === undefined || !take(read.kind, value)) return undefined;
      if (read.value === undefined && operands.length > 0 && showsText) found.mayRead.push(value);
    }
    const places = at === first ? [first] : [first, at];
    for (const name of read.names) options.set(name, [...(options.get(name) ?? []), ...places]);
  }
  const kinds = kindsOf(command, operands.length, options);
  if (kinds === undefined) return undefined;
  const isTaken = operands.every((word, at) => takeOperand(kinds[at] ?? '', word, found, take));
  return isTaken ? { options, ...found } : undefined;
}

interface ReadOption {
  readonly names: readonly string[];
  /** There where it has a value, which is the next word unless it stands in this one. */
  readonly kind?: string;
  readonly value?: LineWord;
}

function readOption(specs: ReadonlyMap<string, OptionSpec>, word: LineWord): ReadOption | undefined {
  const { text } = word;
  if (/^-\d+$/u.test(text) && specs.has('-NUM')) return { names: ['-NUM'] };
  const [name = text] = text.split('=', 1);
  const whole = specs.get(name);
  if (whole !== undefined && (name === text || name.startsWith('--')))
    return withValue(name, whole, name === text ? undefined : { ...word, text: text.slice(name.length + 1) });
  if (text.startsWith('--')) return undefined;
  return readCluster(specs, word);
}

/** `-la`, `-n3`: letters, of which the last one may have a value. */
function readCluster(specs: ReadonlyMap<string, OptionSpec>, word: LineWord): ReadOption | undefined {
  const names: string[] = [];
  for (let at = 1; at < word.text.length; at += 1) {
    const name = `-${word.text.charAt(at)}`;
    const spec = specs.get(name);
    if (spec === undefined) return undefined;
    names.push(name);
    if (spec.kind === undefined) continue;
    const rest = word.text.slice(at + 1);
    const read = withValue(name, spec, rest === '' ? undefined : { ...word, text: rest });
    return read === undefined ? undefined : { ...read, names };
  }
  return { names };
}

function withValue(name: string, spec: OptionSpec, value: LineWord | undefined): ReadOption | undefined {
  if (spec.kind === undefined) return value === undefined ? { names: [name] } : undefined;
  if (value !== undefined) return { names: [name], kind: spec.kind, value };
  return spec.isNeeded ? { names: [name], kind: spec.kind } : { names: [name] };
}

/** The kind of each operand; undefined where there are more than there may be. */
function kindsOf(
  { operands = '' }: HarmlessCommand,
  count: number,
  options: ReadonlyMap<string, unknown>,
): readonly string[] | undefined {
  const kinds = operands === '' ? [] : operands.split(' ');
  // A text that an option has brought already (`grep -e`, `rg --files`) is no operand.
  const isGiven = ['-e', '--regexp', '--files', '--type-list'].some((each) => options.has(each));
  const all = isGiven && kinds[0] === 'text' && kinds.length > 1 ? kinds.slice(1) : kinds;
  const last = all.at(-1);
  if (last?.endsWith('*') !== true) return count > all.length ? undefined : all;
  const fixed = all.slice(0, -1);
  return [...fixed, ...Array.from({ length: Math.max(0, count - fixed.length) }, () => last.slice(0, -1))];
}

function takeOperand(
  kind: string,
  word: LineWord,
  found: { readonly reads: LineWord[]; readonly names: LineWord[] },
  take: (kind: string, word: LineWord) => boolean,
): boolean {
  // Standard input.
  if (word.text === '-') return true;
  // A list of words, among them names of files, to programs such as `strings`.
  if (kind === 'file' && word.text.startsWith('@')) return false;
  if (kind !== 'rev' && kind !== 'shown') return take(kind, word);
  // Magic of Git's paths (`:(glob)x`, `:!x`) is not read.
  if (/^:[^0-9A-Za-z._-]/u.test(word.text)) return false;
  if (leadsOutside(word)) return false;
  const path = word.text.slice(word.text.lastIndexOf(':') + 1);
  if (path !== '') (kind === 'shown' ? found.reads : found.names).push({ ...word, text: path });
  return true;
}

/**
 * Whether a value is one of its kind. A script of awk only prints where it has no pipe, file or program in it, and no `ARGV`, by which it
 * could read files that are not among its operands.
 */
function isValue(kind: string, { text, expands }: LineWord): boolean {
  switch (kind) {
    case 'file':
    case 'name':
      return true;
    case 'text':
      return !expands;
    case 'number':
      return /^\d+$/u.test(text);
    case 'target':
      return !expands && /^[\w./-]+$/u.test(text) && !/^\/|(?:^|\/)\.\.(?:\/|$)/u.test(text);
    case 'time':
      return !expands && text.startsWith('+');
    case 'format':
      // Signatures are checked by the program that the repository's config names.
      return !expands && !/%[^a-z%]*G|signature/u.test(text);
    case 'awk':
      return !expands && !/[>|@`]|system|getline|ARG[VC]|ENVIRON|SYMTAB|FUNCTAB/u.test(text);
    case 'sed':
      return !expands && /^(?:\d+|\$)(?:,(?:\d+|\$|\+\d+))?p$/u.test(text);
    case 'jq':
      return !expands && !/\b(?:env|import|include|modulemeta)\b|\$ENV/u.test(text);
    default:
      return kind.split('|').includes(text);
  }
}

/** A whole path, or one that may lead above the folder that it is below. */
function leadsOutside({ text, isHome }: LineWord): boolean {
  return isHome || /^(?:[/\\]|[A-Za-z]:[/\\])|(?:^|[/\\:])\.\.(?:[/\\]|$)/u.test(text);
}

/** Windows logs in to whatever server such a path names. */
function isNetworkPath(text: string): boolean {
  return /^(?:\/\/|\\\\)/u.test(text);
}
