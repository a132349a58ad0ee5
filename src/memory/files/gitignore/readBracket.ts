/** Whether one character is in a bracket expression. */
export type CharTest = (char: string) => boolean;

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
export function readBracket(
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
