import { inertLine } from '../base/text.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { findHarmlessUse, knownNames, type HarmlessUse } from './findHarmlessUse.ts';
import type { LineCommand, LineWord } from './readLine.ts';
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

/** How an allow-list pattern covers a command: by its own words, or by a use of it that is known to be harmless. */
export interface PatternMatch {
  readonly use?: HarmlessUse;
}

/**
 * How an allow-list pattern covers a command; undefined where it does not. Pure.
 *
 * - A word covers the same word, written bare; a quoted one covers that text however it was written.
 * - `*` covers one word that is no option; never what `riskyOptions.ts` names.
 * - A pattern that is just a command of `harmlessCommands.ts` (`git status`) covers what is harmless about it, too.
 * - A last `**` covers what that table knows to be harmless behind these words, and nothing else: a program that is not in it may
 *   take its orders from what is piped into it.
 *
 * A pattern that can't be read covers nothing.
 */
export function findPatternMatch(pattern: string, command: LineCommand): PatternMatch | undefined {
  const wanted = readPattern(pattern);
  if (wanted === undefined || isStar(wanted[0])) return undefined;
  const [{ text: program }] = command.words;
  const last = wanted.at(-1);
  const isOpen = last !== undefined && !last.isQuoted && last.text === '**';
  const fixed = isOpen ? wanted.slice(0, -1) : wanted;
  const isCovered =
    command.words.length >= fixed.length &&
    fixed.every((each, index) => coversWord(each, command.words[index], program));
  const use = isOpen ? (isCovered ? useBehind(fixed, command) : undefined) : useOf(wanted, command);
  if (use !== undefined) return { use };
  return !isOpen && isCovered && command.words.length === fixed.length ? {} : undefined;
}

/** A warning for each pattern of the allow list that covers less than it seems to. Pure. */
export function findIdlePatterns(allow: readonly string[], source: string): readonly Diagnostic[] {
  return allow.flatMap((pattern): readonly Diagnostic[] => {
    const fault = findPatternFault(pattern);
    if (fault === undefined) return [];
    return [
      {
        level: 'warn',
        code: 'exec_pattern_idle',
        message: `tools.exec.allow: “${inertLine(pattern, 120)}” ${inertLine(fault, 300)}`,
        hint: 'Name the commands that you mean, or answer one of them with “always”.',
        source,
        key: ['tools', 'exec', 'allow'],
      },
    ];
  });
}

/** Why a pattern covers less than it seems to; undefined where it does not. Pure. */
function findPatternFault(pattern: string): string | undefined {
  const words = readPattern(pattern);
  if (words === undefined) return 'covers nothing: a quote is not closed.';
  if (isStar(words[0])) return 'covers nothing: it names no program.';
  const last = words.at(-1);
  const isOpen = last !== undefined && !last.isQuoted && last.text === '**';
  const fixed = isOpen ? words.slice(0, -1) : words;
  const odd = fixed.find((word) => isStar(word) && word.text !== '*');
  if (odd !== undefined) return `covers nothing: a star stands for a whole word, and ${odd.text} is none.`;
  if (!isOpen || knownNames(nameOf(fixed)).length > 0) return undefined;
  const start = fixed.map(({ text }) => text).join(' ');
  return `covers nothing: what “${start}” does with other words is not known.`;
}

/** A pattern is no name of the table where one of its words is quoted. */
function nameOf(pattern: readonly PatternWord[]): string {
  return pattern.map((word) => (word.isQuoted ? "'" : word.text)).join(' ');
}

function useOf(pattern: readonly PatternWord[], { words }: LineCommand): HarmlessUse | undefined {
  return findHarmlessUse(nameOf(pattern), words);
}

/** By the row with the most words that begins with these. */
function useBehind(pattern: readonly PatternWord[], { words }: LineCommand): HarmlessUse | undefined {
  const start = nameOf(pattern);
  const names = knownNames(start).sort((a, b) => b.split(' ').length - a.split(' ').length);
  for (const name of names) {
    const use = findHarmlessUse(name, words);
    if (use !== undefined) return use;
  }
  return undefined;
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
