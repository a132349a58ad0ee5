import { matchWithStars, type StepCount } from '../../../base/matchWithStars.ts';
import { readBracket, type CharTest } from './readBracket.ts';

/** Whether one name, without a slash, is what the pattern says. */
export type NameTest = (name: string, count: StepCount) => boolean;

/** One character of a pattern: what it takes, or a run of `*`. */
type Token = CharTest | 'star';

const special = /[*?[\\]/u;

/**
 * One name of a line of a `.gitignore`: `*`, `?`, `[…]` and `\` as git reads them. Undefined where git takes it for broken, so
 * that the line matches nothing.
 */
export function compileNamePattern(pattern: string, isCaseSensitive: boolean): NameTest | undefined {
  const fold = (text: string): string => (isCaseSensitive ? text : text.toLowerCase());
  if (!special.test(pattern)) {
    const literal = fold(pattern);
    return (name) => fold(name) === literal;
  }
  if (pattern.startsWith('*') && !special.test(pattern.slice(1))) {
    const end = fold(pattern.slice(1));
    return (name) => fold(name).endsWith(end);
  }
  const tokens = readTokens(fold(pattern), isCaseSensitive);
  if (tokens === undefined) return undefined;
  return (name, count) => {
    const chars = fold(name);
    const takes = (at: number, item: number): boolean => {
      const token = tokens[at];
      return typeof token === 'function' && token(chars.charAt(item));
    };
    return matchWithStars(tokens.length, chars.length, (at) => tokens[at] === 'star', takes, count);
  };
}

function readTokens(pattern: string, isCaseSensitive: boolean): Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === '*') {
      if (tokens.at(-1) !== 'star') tokens.push('star');
    } else if (char === '?') tokens.push(() => true);
    else if (char === '[') {
      const bracket = readBracket(pattern, at, isCaseSensitive);
      if (bracket === undefined) return undefined;
      tokens.push(bracket.test);
      at = bracket.end;
    } else if (char === '\\') {
      at += 1;
      if (at === pattern.length) return undefined;
      tokens.push(literal(pattern.charAt(at)));
    } else tokens.push(literal(char));
  }
  return tokens;
}

function literal(char: string): CharTest {
  return (other) => other === char;
}
