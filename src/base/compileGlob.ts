// Threat: the pattern comes from a model and runs on the thread of the editor's extensions. Globs that become regular
// expressions can take exponential time; this matcher steps back only to the last star, so its time is bounded by the
// product of the lengths.
import { PincerError } from './errors.ts';

/** Matches names below the folder that is searched: `['docs', 'a.md']`. */
export type GlobMatcher = (names: readonly string[]) => boolean;

/** One character of a name pattern. */
type NameToken = 'any' | 'star' | ((char: string) => boolean);
/** One name of a pattern; `folders` is `**`, any number of names. */
type PathToken = 'folders' | readonly NameToken[];

const maxPatternLength = 1_000;
const maxAlternatives = 256;

/**
 * Compiles a glob: `*` and `?` within one name, `[abc]` and `[!a-z]`, `{a,b}`, `**` for any folders, `\` before a character
 * meant literally. A pattern without a slash matches names in every folder; names that begin with a dot are no exception.
 * @throws PincerError `glob_invalid`
 */
export function compileGlob(pattern: string): GlobMatcher {
  if (pattern.trim() === '' || pattern.length > maxPatternLength) {
    throw invalid(pattern, `it must have between 1 and ${maxPatternLength} characters`);
  }
  const alternatives = expandBraces(pattern).map((each) => parsePath(pattern, each));
  return (names) => {
    const chars = names.map((name) => Array.from(name));
    return alternatives.some((tokens) => matchPath(tokens, chars));
  };
}

function expandBraces(pattern: string): string[] {
  const open = indexOfBare(pattern, '{', 0);
  const close = open === -1 ? -1 : closingBrace(pattern, open);
  if (close === -1) return [pattern];
  const start = pattern.slice(0, open);
  const ends = expandBraces(pattern.slice(close + 1));
  const found = splitChoices(pattern.slice(open + 1, close))
    .flatMap((choice) => expandBraces(choice))
    .flatMap((choice) => ends.map((end) => start + choice + end));
  if (found.length > maxAlternatives) throw invalid(pattern, 'its braces give too many combinations');
  return found;
}

function indexOfBare(text: string, wanted: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === wanted) return at;
  }
  return -1;
}

function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && (depth -= 1) === 0) return at;
  }
  return -1;
}

function splitChoices(text: string): string[] {
  const choices: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
    else if (text[at] === ',' && depth === 0) {
      choices.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...choices, text.slice(start)];
}

function parsePath(pattern: string, text: string): PathToken[] {
  const names = text.split('/');
  if (text.startsWith('/') || /^[a-z]:/iu.test(text) || names.includes('..')) {
    throw invalid(pattern, 'it must stay below the folder that is searched', 'Give the folder as path.');
  }
  const tokens = names
    .filter((name) => name !== '' && name !== '.')
    .map((name): PathToken => (name === '**' ? 'folders' : parseName(name)));
  return text.includes('/') ? tokens : ['folders', ...tokens];
}

function parseName(name: string): NameToken[] {
  const chars = Array.from(name);
  const tokens: NameToken[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? '';
    const end = char === '[' ? chars.indexOf(']', at + 2) : -1;
    if (char === '*') {
      if (tokens.at(-1) !== 'star') tokens.push('star');
    } else if (char === '?') tokens.push('any');
    else if (end !== -1) {
      tokens.push(parseClass(chars.slice(at + 1, end)));
      at = end;
    } else {
      if (char === '\\') at += 1;
      const literal = chars[at] ?? '\\';
      tokens.push((other) => other === literal);
    }
  }
  return tokens;
}

function parseClass(chars: readonly string[]): NameToken {
  const isNegated = chars[0] === '!' || chars[0] === '^';
  const body = isNegated ? chars.slice(1) : chars;
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < body.length; at += 1) {
    const from = body[at] ?? '';
    const to = body[at + 1] === '-' ? body[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return (char) => ranges.some(([from, to]) => from <= char && char <= to) !== isNegated;
}

function matchPath(tokens: readonly PathToken[], names: readonly (readonly string[])[]): boolean {
  return matchWithStars(
    tokens.length,
    names.length,
    (at) => tokens[at] === 'folders',
    (at, item) => matchName(tokens[at], names[item] ?? []),
  );
}

function matchName(tokens: PathToken | undefined, chars: readonly string[]): boolean {
  if (tokens === undefined || tokens === 'folders') return false;
  return matchWithStars(
    tokens.length,
    chars.length,
    (at) => tokens[at] === 'star',
    (at, item) => matchChar(tokens[at], chars[item] ?? ''),
  );
}

function matchChar(token: NameToken | undefined, char: string): boolean {
  return token === 'any' || (typeof token === 'function' && token(char));
}

function invalid(pattern: string, why: string, hint = 'Use a pattern such as src/**/*.ts.'): PincerError {
  return new PincerError('glob_invalid', `The pattern "${pattern}" can't be used: ${why}.`, { hint });
}

/** Counts comparisons, so that whoever matches untrusted patterns can stop at some point. */
export interface StepCount {
  steps: number;
}

/**
 * Wildcard matching that steps back to the last star only, so its time is bounded by the product of the lengths: at a
 * mismatch the last star takes one item more, and no earlier star has to.
 */
export function matchWithStars(
  length: number,
  items: number,
  isStar: (token: number) => boolean,
  matches: (token: number, item: number) => boolean,
  count: StepCount = { steps: 0 },
): boolean {
  let at = 0;
  let star = -1;
  let taken = 0;
  for (let item = 0; item < items;) {
    count.steps += 1;
    if (at < length && isStar(at)) {
      star = at;
      taken = item;
      at += 1;
    } else if (at < length && matches(at, item)) {
      at += 1;
      item += 1;
    } else if (star !== -1) {
      taken += 1;
      at = star + 1;
      item = taken;
    } else return false;
  }
  while (at < length && isStar(at)) at += 1;
  return at === length;
}
