// Threat: a model writes a line that looks like an allowed command and does something else: a second command behind an
// operator, a substitution, a redirection, a hidden character, a word that only this shell reads differently. So the line is
// not searched for bad things. It is read by a small grammar of harmless ones, and what that does not read stays unread.
import type { CommandPlan, ShellKind } from './commandPlan.ts';
import { shellSyntax, type ShellSyntax } from './shellSyntax.ts';

/** Longer lines can't be reviewed by a person and are never read. In UTF-16 units. */
export const maxLineLength = 2000;

const maxCommands = 20;

export interface LineWord {
  /** As it reaches the program; with `expands`, what it is made from. */
  readonly text: string;
  /** Written without quotes and escapes. */
  readonly isPlain: boolean;
  /** Becomes file names (`*`, `?`, `[…]`, a leading `~`). */
  readonly expands: boolean;
  /** Starts with the user's own home (`~`). */
  readonly isHome: boolean;
  /** A file's name decides its first character, so that it may become an option. */
  readonly startsOpen: boolean;
}

export interface LineCommand {
  readonly words: readonly [LineWord, ...LineWord[]];
  readonly stdout?: 'stderr' | 'null';
  readonly stderr?: 'stdout' | 'null';
}

export interface LineStep {
  readonly when: CommandPlan['steps'][number]['when'];
  readonly pipeline: readonly [LineCommand, ...LineCommand[]];
}

/** A line that was read whole, or why it was not: the end of a sentence. */
export type ReadLine = ReadSteps | { readonly problem: string };

export interface ReadSteps {
  readonly steps: readonly LineStep[];
  /** The folder below that it changes into before anything else (`cd src && …`), where nothing runs if it can't. */
  readonly folder?: string;
}

type Operator = '&&' | '||' | ';' | '|';
type Stream = 'stdout' | 'stderr';
type Token =
  | { readonly kind: 'word'; readonly word: LineWord }
  | { readonly kind: 'operator'; readonly operator: Operator }
  | { readonly kind: 'redirect'; readonly from: Stream; readonly to: Stream | 'null' };

/** What stops the reading; never leaves this file. */
class Unread extends Error {}

/** Reads a whole line by the grammar of its shell. Never throws; linear in the length of the line. */
export function readLine(line: string, shell: ShellKind): ReadLine {
  if (line.length > maxLineLength) return { problem: `it is longer than ${maxLineLength} characters` };
  const syntax = shellSyntax[shell];
  const text = syntax.hasOperators && line.endsWith('\n') ? line.slice(0, -1) : line;
  if (/[\r\n]/u.test(text)) return { problem: 'it has several lines' };
  if (hasInvisible(text)) return { problem: 'it has characters that are not seen' };
  try {
    const { folder, rest } = readFolder(readTokens(text, syntax));
    return { steps: readSteps(rest, shell), ...(folder === undefined ? {} : { folder }) };
  } catch (thrown) {
    if (thrown instanceof Unread) return { problem: thrown.message };
    throw thrown;
  }
}

const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** True where a person does not see everything that is there: control, format, filler and odd space characters. */
function hasInvisible(text: string): boolean {
  return invisible.test(text);
}

/** `cd src &&` in front of commands that all depend on it. */
function readFolder(tokens: readonly Token[]): {
  readonly folder?: string;
  readonly rest: readonly Token[];
} {
  const [cd, folder, and, ...rest] = tokens;
  const isCd = cd?.kind === 'word' && cd.word.isPlain && cd.word.text === 'cd';
  const isNext = (token: Token | undefined): boolean => token?.kind === 'operator' && token.operator === '&&';
  const depends = rest.every((token) => token.kind !== 'operator' || token.operator === '|' || isNext(token));
  if (!isCd || folder?.kind !== 'word' || !isNext(and) || !depends) return { rest: tokens };
  const { text, expands } = folder.word;
  return expands || !isBelow(text) ? { rest: tokens } : { folder: text, rest };
}

/** By its words; where its links lead is seen when it is about to run. */
function isBelow(path: string): boolean {
  return path !== '' && !/^[-/\\]|^[A-Za-z]:/u.test(path) && !path.split(/[\\/]/u).includes('..');
}

function readTokens(line: string, syntax: ShellSyntax): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < line.length) {
    if (line.charAt(at) === ' ') {
      at += 1;
      continue;
    }
    const read =
      (syntax.hasOperators ? (readOperator(line, at) ?? readRedirect(line, at)) : undefined) ??
      readWord(line, at, syntax);
    tokens.push(read.token);
    at = read.end;
  }
  return tokens;
}

interface TokenMatch<T = Token> {
  readonly token: T;
  readonly end: number;
}

function readOperator(line: string, at: number): TokenMatch | undefined {
  const [operator] = matchAt(/&&|\|\||;|\|/y, line, at);
  if (operator === undefined) return undefined;
  return { token: { kind: 'operator', operator: operator as Operator }, end: at + operator.length };
}

const streams: Readonly<Record<string, Stream>> = { '': 'stdout', '1': 'stdout', '2': 'stderr' };

/** Only to the other stream or to the null device, and with nothing behind it that could make the target longer. */
function readRedirect(line: string, at: number): TokenMatch | undefined {
  const [text, from, to] = matchAt(/([12]?)>(?:&([12])| *\/dev\/null)(?=[ ;|&]|$)/y, line, at);
  if (text === undefined) return undefined;
  const token: Token = {
    kind: 'redirect',
    from: streams[from ?? ''] ?? 'stdout',
    to: to === undefined ? 'null' : (streams[to] ?? 'stdout'),
  };
  return { token, end: at + text.length };
}

function matchAt(sticky: RegExp, text: string, at: number): readonly (string | undefined)[] {
  sticky.lastIndex = at;
  return sticky.exec(text) ?? [];
}

function readWord(line: string, start: number, syntax: ShellSyntax): TokenMatch {
  let at = start;
  const word = { text: '', isPlain: true, expands: false, isHome: false, startsOpen: false };
  while (at < line.length && !endsWord(line.charAt(at), syntax)) {
    const char = String.fromCodePoint(line.codePointAt(at) ?? 0);
    if (syntax.bare.test(char) || (syntax.hasExpansions && isInnerSign(char, word.text))) {
      word.text += char;
      at += char.length;
    } else if (syntax.hasOperators && (char === "'" || char === '"')) {
      const quoted = readQuoted(line, at, syntax);
      word.text += quoted.token;
      word.isPlain = false;
      at = quoted.end;
    } else if (syntax.hasEscapes && char === '\\') {
      word.text += readEscape(line, at);
      word.isPlain = false;
      at += 2;
    } else if (syntax.hasExpansions && isExpansion(line, at, start)) {
      word.isHome ||= char === '~';
      word.startsOpen ||= word.text === '' && char !== '~';
      word.text += char;
      word.expands = true;
      at += 1;
    } else {
      throw new Unread(`${nameOf(char)} can mean more than a plain word`);
    }
  }
  if (at === start) throw new Unread("'&' starts a command in the background");
  if (word.isPlain && syntax.special?.test(word.text) === true) {
    throw new Unread(`'${word.text}' is not a plain word in this shell`);
  }
  return { token: { kind: 'word', word }, end: at };
}

function endsWord(char: string, syntax: ShellSyntax): boolean {
  return char === ' ' || (syntax.hasOperators && (char === ';' || char === '|' || char === '&'));
}

/**
 * `HEAD~1`, `HEAD^`: inside a word they stand for themselves, unless the word may be read as `name=~`. So does a `#`, which only
 * in front starts a comment.
 */
function isInnerSign(char: string, before: string): boolean {
  if (char === '#') return before !== '';
  return (char === '~' || char === '^') && before !== '' && !before.includes('=');
}

/** A `~` only in front and for the own home; in `x=~/y` or `~name` a shell expands it by other rules. */
function isExpansion(line: string, at: number, start: number): boolean {
  const char = line.charAt(at);
  if (char === '~') return at === start && /^(?:[ ;|&/]|$)/u.test(line.charAt(at + 1));
  return char === '*' || char === '?' || char === '[' || char === ']';
}

function readEscape(line: string, at: number): string {
  const next = line.charAt(at + 1);
  if (!/[ !-/:-@[-`{-~]/u.test(next)) throw new Unread('a backslash stands before nothing that needs one');
  return next;
}

function readQuoted(line: string, at: number, syntax: ShellSyntax): TokenMatch<string> {
  const quote = line.charAt(at);
  let text = '';
  for (let index = at + 1; index < line.length; index += 1) {
    const char = line.charAt(index);
    if (char === quote) return { token: text, end: index + 1 };
    if (char === '\\' && !(syntax.hasEscapes && quote === "'")) {
      const next = line.charAt(index + 1);
      if (!syntax.hasEscapes || !/[\\"$`]/u.test(next)) throw new Unread('a backslash stands in quotes');
      text += next;
      index += 1;
    } else if (quote === '"' && /[$`!]/u.test(char)) {
      throw new Unread(`${nameOf(char)} in double quotes can mean more than text`);
    } else {
      text += char;
    }
  }
  throw new Unread('a quote is not closed');
}

function nameOf(char: string): string {
  return char === "'" ? 'a quote' : `'${char}'`;
}

/** Tokens to commands: a word first, then words and redirections, and nothing empty between operators. */
function readSteps(tokens: readonly Token[], shell: ShellKind): LineStep[] {
  const steps: LineStep[] = [];
  let when: LineStep['when'] = 'always';
  let pipeline: LineCommand[] = [];
  let command: Token[] = [];
  let count = 0;
  const endCommand = (isPiped: boolean): void => {
    pipeline.push(readCommand(command, shell, isPiped));
    command = [];
    count += 1;
    if (count > maxCommands) throw new Unread(`it has more than ${maxCommands} commands`);
  };
  const endStep = (): void => {
    endCommand(false);
    const [first, ...rest] = pipeline;
    if (first !== undefined) steps.push({ when, pipeline: [first, ...rest] });
    pipeline = [];
  };
  for (const token of tokens) {
    if (token.kind !== 'operator') command.push(token);
    else if (token.operator === '|') endCommand(true);
    else {
      endStep();
      when = token.operator === '&&' ? 'success' : token.operator === '||' ? 'failure' : 'always';
    }
  }
  endStep();
  return steps;
}

function readCommand(tokens: readonly Token[], shell: ShellKind, isPiped: boolean): LineCommand {
  const [first, ...rest] = tokens.flatMap((token) => (token.kind === 'word' ? [token.word] : []));
  if (first === undefined) throw new Unread('a command is missing');
  if (tokens[0]?.kind !== 'word') throw new Unread('a redirection stands before the command');
  checkProgram(first, rest, shell);
  const redirects = tokens.flatMap((token) => (token.kind === 'redirect' ? [token] : []));
  // zsh sends the output to both where it is redirected twice, or redirected and piped.
  if (new Set(redirects.map((each) => each.from)).size < redirects.length) {
    throw new Unread('a stream is redirected twice');
  }
  if (shell === 'zsh' && isPiped && redirects.some((each) => each.from === 'stdout')) {
    throw new Unread('its output is redirected and piped');
  }
  return { words: [first, ...rest], ...redirected(redirects) };
}

function checkProgram(program: LineWord, [word]: readonly LineWord[], shell: ShellKind): void {
  if (program.expands) throw new Unread('a file name would choose the program');
  if (program.text === '') throw new Unread('the program has no name');
  if (program.isPlain && program.text.includes('=')) throw new Unread('it sets a variable');
  // `command -v` only names what there is.
  if (asksShell(program) && word?.isPlain === true && word.text === '-v') return;
  const isKeyword = shellSyntax[shell].notPrograms.has(program.text.toLowerCase());
  if (isKeyword) throw new Unread(`'${program.text}' belongs to the shell itself`);
}

/** True for a word that only a shell can answer. */
export function asksShell({ text, isPlain }: LineWord): boolean {
  return isPlain && text === 'command';
}

/** Where the two streams end up, each named by the place it had before. */
function redirected(redirects: readonly (Token & { kind: 'redirect' })[]): Omit<LineCommand, 'words'> {
  const place: Record<Stream, Stream | 'null'> = { stdout: 'stdout', stderr: 'stderr' };
  for (const { from, to } of redirects) place[from] = to === 'null' ? to : place[to];
  return {
    ...(place.stdout === 'stdout' ? {} : { stdout: place.stdout }),
    ...(place.stderr === 'stderr' ? {} : { stderr: place.stderr }),
  };
}
