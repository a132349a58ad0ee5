import type { LineCommand, LineWord } from './readLine.ts';
import { harmlessUses, type HarmlessUse } from './harmlessUses.ts';
import { starMayCover } from './riskyOptions.ts';

/** A word of a pattern. Quoted ones (`'fix it'`, a quote itself as `\'`) are only text. */
export interface PatternWord {
  readonly text: string;
  readonly isQuoted: boolean;
}

const writtenWord = /(?:'[^']*'|\\'|[^\s'])+/gu;

/** The words of a pattern, or undefined where a quote is not closed or there is none. */
export function readPattern(pattern: string): readonly [PatternWord, ...PatternWord[]] | undefined {
  if (pattern.replaceAll(writtenWord, '').trim() !== '') return undefined;
  const words = [...pattern.matchAll(writtenWord)].map(([written]) => ({
    text: written.replaceAll(
      /'([^']*)'|\\(')/gu,
      (_all, quoted?: string, quote?: string) => quoted ?? quote ?? '',
    ),
    isQuoted: written.includes("'"),
  }));
  const [first, ...rest] = words;
  return first === undefined ? undefined : [first, ...rest];
}

/** The pattern that matches exactly these words, each written as it was: bare or quoted. */
export function writePattern(words: readonly LineWord[]): string {
  return words.map(writeWord).join(' ');
}

function writeWord({ text, isPlain }: LineWord): string {
  if (isPlain && !/[*'\s]/u.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Whether an allow-list pattern covers a command.
 *
 * - A word covers the same word, written bare; a quoted one covers that text however it was written.
 * - `*` covers one word that is no option, a last `**` any further ones; neither covers what `riskyOptions.ts` names.
 * - A pattern that is just a command of `harmlessUses.ts` (`git status`) covers its harmless arguments too.
 *
 * A pattern that can't be read covers nothing.
 */
export function coversCommand(pattern: string, command: LineCommand): boolean {
  const wanted = readPattern(pattern);
  if (wanted === undefined || isStar(wanted[0])) return false;
  const program = command.words[0].text;
  const last = wanted.at(-1);
  const isOpen = last !== undefined && !last.isQuoted && last.text === '**';
  const fixed = isOpen ? wanted.slice(0, -1) : wanted;
  const further = command.words.slice(fixed.length);
  if (command.words.length < fixed.length) return false;
  if (!fixed.every((each, index) => coversWord(each, command.words[index], program))) return false;
  if (isOpen) return further.every((word) => !word.startsOpen && starMayCover(program, word.text));
  return further.length === 0 || isHarmless(harmlessUse(wanted), further);
}

function isStar(word: PatternWord): boolean {
  return !word.isQuoted && word.text.includes('*');
}

function coversWord(pattern: PatternWord, word: LineWord | undefined, program: string): boolean {
  if (word === undefined) return false;
  if (!isStar(pattern))
    return pattern.text === word.text && !word.expands && (pattern.isQuoted || word.isPlain);
  if (pattern.text !== '*' || word.expands) return false;
  return !word.text.startsWith('-') && starMayCover(program, word.text);
}

function harmlessUse(pattern: readonly PatternWord[]): HarmlessUse | undefined {
  const name = pattern.map((word) => (word.isQuoted ? `'` : word.text)).join(' ');
  return Object.hasOwn(harmlessUses, name) ? harmlessUses[name] : undefined;
}

function isHarmless(use: HarmlessUse | undefined, words: readonly LineWord[]): boolean {
  if (use === undefined) return false;
  const end = words.findIndex((word) => word.text === '--');
  const isOperandAt = (word: LineWord, index: number): boolean =>
    !word.text.startsWith('-') || (end !== -1 && index > end);
  return words.every((word, index) => {
    const isOperand = isOperandAt(word, index);
    // A file called `--output=x` makes an option of `*`, unless all options are harmless or it stands behind `--`.
    const mayBeOption = word.startsOpen && (end === -1 || index < end);
    if (mayBeOption && !use.options.test('-')) return false;
    return isOperand ? isHarmlessOperand(use, word) : use.options.test(word.text) || index === end;
  });
}

function isHarmlessOperand(use: HarmlessUse, word: LineWord): boolean {
  if (use.operands !== 'inside') return use.operands === 'any' && !isNetworkPath(word.text);
  return !word.isHome && !/^(?:[/\\]|[A-Za-z]:)|(?:^|[/\\:])\.\.(?:[/\\]|$)/u.test(word.text);
}

/** Windows logs in to whatever server such a path names. */
function isNetworkPath(text: string): boolean {
  return /^(?:\/\/|\\\\)/u.test(text);
}
