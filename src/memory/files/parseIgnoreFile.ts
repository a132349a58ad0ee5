// Threat: a .gitignore comes with the workspace, whoever wrote it. Turned into regular expressions, as usual, a line such as
// `*a*a*a*a*b` can hold a thread for hours. Here every line is matched in time bounded by the product of the lengths, a file has
// limits, and one that costs too much over all is dropped.
import { matchWithStars, type StepCount } from '../../base/compileGlob.ts';

/** What one `.gitignore` says. */
export interface IgnoreRules {
  /**
   * True where it ignores the path, false where it takes it back with `!`, undefined where it says nothing. `names` are those
   * below the folder of the file. What lies in an ignored folder is for the caller: git does not look into it.
   */
  decide(names: readonly string[], isFolder: boolean): boolean | undefined;
  /** True once it has cost more than it may; from then on it says nothing. */
  readonly isExhausted: boolean;
}

/** Bytes of a `.gitignore` that is read. */
export const maxIgnoreBytes = 256 * 1024;
const maxLines = 5_000;
const maxLineLength = 1_000;
/** Comparisons that one file may cost over all paths: about a second. */
const maxSteps = 50_000_000;

interface Rule {
  readonly isIgnored: boolean;
  readonly onlyFolders: boolean;
  /** Undefined: any folders. One name alone is looked for at every depth. */
  readonly names: readonly (NameTest | undefined)[];
}

/**
 * Reads a `.gitignore` as git does (gitignore(5)): comments, `!`, `\`, trailing spaces and slashes, `**`, the last line that
 * matches decides. Two oddities of git are left out: `?` takes a whole character instead of a byte, and `**` beside other
 * characters is `*` everywhere. Lines beyond 5,000 and those longer than 1,000 characters say nothing. Pure.
 */
export function parseIgnoreFile(text: string, isCaseSensitive: boolean): IgnoreRules {
  const rules = text
    .replace(/^\uFEFF/u, '')
    .split('\n', maxLines)
    .map((line) => parseLine(line, isCaseSensitive))
    .filter((rule) => rule !== undefined)
    .reverse();
  const count: StepCount = { steps: 0 };
  return {
    decide(names, isFolder) {
      const rule = rules.find(
        (each) => count.steps <= maxSteps && (isFolder || !each.onlyFolders) && matches(each, names, count),
      );
      return count.steps > maxSteps ? undefined : rule?.isIgnored;
    },
    get isExhausted() {
      return count.steps > maxSteps;
    },
  };
}

function parseLine(raw: string, isCaseSensitive: boolean): Rule | undefined {
  if (raw.startsWith('#') || raw.length > maxLineLength) return undefined;
  const line = withoutTrailingSpaces(raw.endsWith('\r') ? raw.slice(0, -1) : raw);
  const isIgnored = !line.startsWith('!');
  const said = isIgnored ? line : line.slice(1);
  const onlyFolders = said.endsWith('/');
  const pattern = onlyFolders ? said.slice(0, -1) : said;
  if (pattern === '') return undefined;
  const names: (NameTest | undefined)[] = pattern.includes('/') ? [] : [undefined];
  const segments = splitNames(pattern.replace(/^\//u, ''));
  for (const [at, segment] of segments.entries()) {
    const isAnyFolders = pattern.includes('/') && /^\*{2,}$/u.test(segment);
    const test = compileNamePattern(segment, isCaseSensitive);
    if (test === undefined) return undefined;
    if (isAnyFolders) names.push(undefined);
    // `a/**` is what lies in a, and not a itself.
    if (!isAnyFolders || at === segments.length - 1) names.push(test);
  }
  return { isIgnored, onlyFolders, names };
}

/** A slash in brackets is a member, which no name has; one behind a `\` is a slash. */
function splitNames(pattern: string): string[] {
  const names = [''];
  const add = (text: string): void => void names.push(`${names.pop() ?? ''}${text}`);
  for (let at = 0; at < pattern.length; at += 1) {
    const end = pattern.charAt(at) === '[' ? readBracket(pattern, at, true)?.end : undefined;
    if (end !== undefined) {
      add(pattern.slice(at, end + 1));
      at = end;
    } else if (pattern.charAt(at) === '/') names.push('');
    else if (pattern.charAt(at) !== '\\') add(pattern.charAt(at));
    else if (pattern.charAt(at + 1) !== '/') {
      add(pattern.slice(at, at + 2));
      at += 1;
    }
  }
  return names;
}

/** Spaces at the end don't count, unless a `\` stands before them. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at += 1) {
    if (line.charAt(at) === '\\') at += 1;
    else if (line.charAt(at) === ' ') continue;
    end = at + 1;
  }
  return line.slice(0, end);
}

function matches(rule: Rule, names: readonly string[], count: StepCount): boolean {
  const [first, second] = rule.names;
  // Most lines are one name that may lie anywhere.
  if (rule.names.length === 2 && first === undefined && second !== undefined) {
    count.steps += 1;
    return second(names.at(-1) ?? '', count);
  }
  return matchWithStars(
    rule.names.length,
    names.length,
    (token) => rule.names[token] === undefined,
    (token, item) => rule.names[token]?.(names[item] ?? '', count) === true,
    count,
  );
}

/** Whether one name, without a slash, is what the pattern says. */
type NameTest = (name: string, count: StepCount) => boolean;

/** One character of a pattern: what it takes, or a run of `*`. */
type Token = CharTest | 'star';

const special = /[*?[\\]/u;

/**
 * One name of a line of a `.gitignore`: `*`, `?`, `[…]` and `\` as git reads them. Undefined where git takes it for broken, so
 * that the line matches nothing.
 */
function compileNamePattern(pattern: string, isCaseSensitive: boolean): NameTest | undefined {
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

/** Whether one character is in a bracket expression. */
type CharTest = (char: string) => boolean;

/** Git has its own, for ASCII alone. */
const classes: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/u,
  alpha: /[A-Za-z]/u,
  blank: /[ \t]/u,
  cntrl: /[\u0000-\u001F\u007F]/u,
  digit: /[0-9]/u,
  graph: /[!-~]/u,
  lower: /[a-z]/u,
  print: /[ -~]/u,
  punct: /[!-/:-@[-`{-~]/u,
  space: /[ \t\n\r]/u,
  upper: /[A-Z]/u,
  xdigit: /[0-9A-Fa-f]/u,
};

/**
 * The bracket expression that begins at `start`, as git's wildmatch reads it: `!` or `^` in front turns it round, a `]` right
 * after that is a member, `\` makes the next character one, `[:alpha:]` names a class. `end` is the place of its `]`. Undefined
 * where it never ends or names an unknown class.
 */
function readBracket(
  pattern: string,
  start: number,
  isCaseSensitive: boolean,
): { readonly test: CharTest; readonly end: number } | undefined {
  const isNegated = '!^'.includes(pattern.charAt(start + 1)) && start + 1 < pattern.length;
  const members: CharTest[] = [];
  const first = start + (isNegated ? 2 : 1);
  let before = '';
  for (let at = first; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === ']' && at > first) {
      const isMember: CharTest = (each) => members.some((test) => test(each));
      return { test: bothCases(isMember, isNegated, isCaseSensitive), end: at };
    }
    const named = char === '[' && pattern.charAt(at + 1) === ':' ? readClass(pattern, at) : undefined;
    if (named === 'broken') return undefined;
    if (named !== undefined) {
      members.push((each) => named.test.test(each));
      at = named.end;
      before = '';
    } else if (char === '-' && before !== '' && at + 1 < pattern.length && pattern.charAt(at + 1) !== ']') {
      at += pattern.charAt(at + 1) === '\\' ? 2 : 1;
      const [from, to] = [before, pattern.charAt(at)];
      members.push((each) => from <= each && each <= to);
      before = '';
    } else {
      if (char === '\\') at += 1;
      const member = pattern.charAt(at);
      members.push((each) => each === member);
      before = member;
    }
  }
  return undefined;
}

/** `[:name:]`; undefined where the `[` stands for itself. */
function readClass(
  pattern: string,
  start: number,
): { readonly test: RegExp; readonly end: number } | 'broken' | undefined {
  const end = pattern.indexOf(']', start + 2);
  if (end === -1) return 'broken';
  if (end === start + 2 || pattern.charAt(end - 1) !== ':') return undefined;
  const test = classes[pattern.slice(start + 2, end - 1)];
  return test === undefined ? 'broken' : { test, end };
}

function bothCases(isMember: CharTest, isNegated: boolean, isCaseSensitive: boolean): CharTest {
  if (isCaseSensitive) return (char) => isMember(char) !== isNegated;
  return (char) => (isMember(char) || isMember(char.toUpperCase())) !== isNegated;
}
