// Threat: a forbidden command hides where the grammar does not read: behind a substitution, a wrapper, quotes in its name. An
// allow list may refuse to understand; a deny list that does would let it through to a question. So it looks closer at what was
// read, and at loose words in what was not. It is a safety net below the question, not a proof.
import type { ShellKind } from './commandPlan.ts';
import { readPattern, type PatternWord } from './commandPattern.ts';
import { programName } from './programName.ts';
import type { ReadLine, ReadSteps } from './readLine.ts';
import { runners } from './riskyOptions.ts';

/** A program with its arguments, or loose words where any may be the program. */
interface Invocation {
  /** Names that may be the program's; the arguments of the one at `index` start at `index + offset`. */
  readonly programs: readonly string[];
  readonly words: readonly string[];
  readonly offset: 0 | 1;
}

const oneProgram = (program: string, words: readonly string[]): Invocation => ({
  programs: [programName(program)],
  words,
  offset: 0,
});

/** Only the words at these places may be the program. */
const someProgram = (words: readonly string[], places: ReadonlySet<number>): Invocation => ({
  programs: words.map((word, at) => (places.has(at) ? programName(word) : '')),
  words,
  offset: 1,
});

const anyProgram = (words: readonly string[]): Invocation => ({
  programs: words.map(programName),
  words,
  offset: 1,
});

/** One command of a deny pattern. */
interface Denied {
  readonly program: string;
  readonly needs: readonly PatternWord[];
}

/**
 * The first pattern of a deny list that names something in the line.
 *
 * A pattern names a program (whatever its path and case) with arguments that must all be there, in any order: `rm -r /` also
 * finds `rm -fr --verbose /`. `*` stands for any characters of a word (in quotes for itself), a last `**` for nothing.
 * `curl | sh` names two programs in this order in a line. A pattern with other shell characters is looked for as text, blanks
 * aside. Linear in the length of the line for each pattern.
 */
export function findDenied(
  line: string,
  read: ReadLine,
  patterns: readonly string[],
  shell: ShellKind,
): string | undefined {
  if (patterns.length === 0) return undefined;
  const seen = 'steps' in read ? seenCommands(read) : looseWords(line, shell);
  const compact = withoutBlanks(line);
  const programs = new Set(seen.flatMap((each) => each.programs));
  return patterns.find((pattern) => {
    if (/[(){};&<>`]/u.test(pattern)) return compact.includes(withoutBlanks(pattern));
    const parts = readDenied(pattern);
    const mayMatch = parts.every((part) => part.program.includes('*') || programs.has(part.program));
    return mayMatch && inOrder(parts, seen);
  });
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/gu, '');
}

function readDenied(pattern: string): Denied[] {
  return pattern.split('|').flatMap((part) => {
    const [program, ...needs] = readPattern(part) ?? [];
    if (needs.at(-1)?.text === '**') needs.pop();
    return program === undefined
      ? []
      : [
          {
            program: program.text.toLowerCase(),
            needs: needs.map((need) => ({ ...need, text: bare(need.text) })),
          },
        ];
  });
}

function seenCommands({ steps, folder }: ReadSteps): Invocation[] {
  const first = folder === undefined ? [] : [oneProgram('cd', [bare(folder)])];
  const seen = steps.flatMap((step) =>
    step.pipeline.map((command) => {
      const [program, ...words] = command.words.map((word) => word.text);
      const isRunner =
        program !== undefined && (runners.has(programName(program)) || words.some(isExecOption));
      const loose = [program ?? '', ...words.flatMap((word) => splitLoose(word))].map(bare);
      return isRunner ? behindRunner(loose) : oneProgram(program ?? '', words.map(bare));
    }),
  );
  return [...first, ...seen];
}

/** Programs that run the one that stands behind them, and how many words of their own come before it. */
const wrappers: ReadonlyMap<string, number> = new Map([
  ...[
    'sudo',
    'doas',
    'env',
    'nice',
    'ionice',
    'nohup',
    'setsid',
    'time',
    'stdbuf',
    'xargs',
    'pkexec',
    'strace',
    'systemd-run',
    'unshare',
  ].map((name) => [name, 0] as const),
  ['timeout', 1],
  ['chroot', 1],
]);

/**
 * The words that may be the program which a runner starts. Behind a wrapper that is the first word that is no option; a word behind an
 * option may be its value, and then it is the next one. `sudo virsh shutdown vm` turns no machine off but `vm`.
 */
function behindRunner(words: readonly string[]): Invocation {
  const found = new Set<number>();
  let at = 0;
  for (;;) {
    const own = wrappers.get(programName(words[at] ?? ''));
    found.add(at);
    // Any other runner, a shell for one, may take each of its words for a program.
    if (own === undefined) break;
    const next = skipWrapper(words, at + 1, own, found);
    if (next === undefined) return someProgram(words, found);
    at = next;
  }
  const isAny = runners.has(programName(words[at] ?? '')) || words.some(isExecOption);
  return isAny ? anyProgram(words) : someProgram(words, found);
}

/** The place of the word that is the program for sure, the ones before it that may be are added; undefined where there is none. */
function skipWrapper(
  words: readonly string[],
  start: number,
  own: number,
  found: Set<number>,
): number | undefined {
  let left = own;
  let mayBeValue = false;
  for (let at = start; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word.startsWith('-') || /^[A-Za-z_]\w*=/u.test(word)) {
      mayBeValue = word.startsWith('-');
      continue;
    }
    if (!mayBeValue && left === 0) return at;
    found.add(at);
    if (!mayBeValue) left -= 1;
    mayBeValue = false;
  }
  return undefined;
}

function isExecOption(word: string): boolean {
  return /^--?(?:exec|ok)/u.test(word);
}

const keywords = new Set([
  'if',
  'then',
  'else',
  'elif',
  'do',
  'while',
  'until',
  '!',
  'not',
  'and',
  'or',
  'begin',
  'coproc',
]);

/**
 * Words of a line that was not read, by segments between operators and brackets: the first one of each counts as a program,
 * and every one where the segment has a runner (`sudo`, `sh -c`).
 */
function looseWords(line: string, shell: ShellKind): Invocation[] {
  const isWindows = shell === 'cmd' || shell === 'pwsh';
  const text = isWindows ? line.replaceAll(/["'^`]/gu, '') : line.replaceAll(/\\\n|["'\\]/gu, '');
  return text
    .replaceAll(/\$\{IFS\}|\$IFS\b/gu, ' ')
    .replaceAll(/\$\{(\w+)\}/gu, '$1')
    .split(/[;&|(){}`<>\r\n]+/u)
    .map((segment) => {
      const words = splitLoose(segment).map(bare);
      const start = words.findIndex((word) => !keywords.has(word) && !/^[A-Za-z_]\w*\+?=/u.test(word));
      const [program, ...rest] = start === -1 ? [] : words.slice(start);
      const hasRunner = words.some((word) => runners.has(programName(word)) || isExecOption(word));
      if (!hasRunner) return oneProgram(program ?? '', rest);
      return program !== undefined && wrappers.has(programName(program))
        ? behindRunner([program, ...rest])
        : anyProgram(words);
    });
}

function splitLoose(text: string): string[] {
  return text.split(/[^\S]+|[;&|(){}`<>,"']+/u).filter((word) => word !== '');
}

/** Without what makes it a variable, so that `$HOME` and `${HOME}` are the same. */
function bare(word: string): string {
  return word.replaceAll(/[${}"]/gu, '');
}

/** Whether commands of the line match the parts of a pattern one after the other. */
function inOrder(parts: readonly Denied[], seen: readonly Invocation[]): boolean {
  if (parts.length === 0) return false;
  let next = 0;
  for (const each of seen) {
    const part = parts[next];
    if (part !== undefined && isNamed(part, each)) next += 1;
  }
  return next === parts.length;
}

function isNamed(denied: Denied, seen: Invocation): boolean {
  // Of several words the first that may be it has all later ones as arguments.
  const at = seen.programs.findIndex((name) => isLike(denied.program, name));
  return at !== -1 && hasAll(denied.needs, seen.words.slice(at + seen.offset));
}

function hasAll(needs: readonly PatternWord[], words: readonly string[]): boolean {
  return needs.every(({ text, isQuoted }) => {
    if (isQuoted) return words.includes(text);
    if (/^-[A-Za-z]+$/u.test(text)) return hasLetters(text.slice(1), words) || words.includes(text);
    if (text.startsWith('--')) return words.some((word) => isLong(text, word));
    return words.some((word) => isLike(text, word));
  });
}

function hasLetters(letters: string, words: readonly string[]): boolean {
  const clusters = words.filter((word) => /^-[^-]/u.test(word));
  return Array.from(letters).every((letter) => clusters.some((cluster) => cluster.includes(letter)));
}

/** `--recursive` also as `--recurs`. */
function isLong(need: string, word: string): boolean {
  const name = word.split('=', 1)[0] ?? '';
  return word === need || (name.length > 3 && need.startsWith(name));
}

/** Equal, where a `*` in `pattern` stands for any characters. */
function isLike(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text;
  const [start = '', ...parts] = pattern.split('*');
  const end = parts.pop() ?? '';
  if (text.length < start.length + end.length || !text.startsWith(start) || !text.endsWith(end)) return false;
  let at = start.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - end.length;
}
