import type { Params } from '../../contracts/jsonTypes.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

/** What a user's text asks of the built-in model. */
export type BuiltInCommand =
  | { readonly kind: 'call'; readonly tool: string; readonly arguments: Params }
  /** A command that can not be carried out as it stands. `usage` shows how it is written. */
  | { readonly kind: 'invalid'; readonly problem: string; readonly usage: string }
  | { readonly kind: 'help' }
  | { readonly kind: 'question'; readonly text: string };

/**
 * Reads a plain command: `read a.md:10-20`, `write a.md: text`, `list src`, `find *.md`, `search text`, `/tool NAME {json}`.
 * Paths with spaces stand in quotes. Whatever is no command for certain is a question, so that "read the docs on hooks" and
 * "find out how it works" are searched for and not carried out.
 */
export function parseBuiltInCommand(message: string): BuiltInCommand {
  const text = message.trimStart();
  for (const parse of [parseHelp, parseTool, parseWrite, parseRead, parseList, parseFind, parseSearch]) {
    const command = parse(text);
    if (command !== undefined) return command;
  }
  return { kind: 'question', text: text.trim() };
}

/** A path, in quotes where it has spaces, and with the `#file:` that VS Code puts before a picked file. */
const path = String.raw`(?:#file:|#)?(?:"([^"\n]+)"|'([^'\n]+)'|\x60([^\x60\n]+)\x60|((?:[A-Za-z]:)?[^\s:"'\x60]+))`;

/** The text of whichever of the four forms of `path` was used. */
function pathOf(match: RegExpExecArray, from = 1): string {
  return match[from] ?? match[from + 1] ?? match[from + 2] ?? match[from + 3] ?? '';
}

function call(tool: string, params: Params): BuiltInCommand {
  return { kind: 'call', tool, arguments: params };
}

function parseHelp(text: string): BuiltInCommand | undefined {
  const greeting =
    /^(?:help|hi|hello|hey|hello there|hi there|what can you do|who are you|what are you)?[\s!?.,]*$/iu;
  return greeting.test(text) ? { kind: 'help' } : undefined;
}

const toolCommand = /^\s*\/tool(?![^\s])/iu;

/** Whether the message names a tool to be called, as opposed to a command in words or a question. */
export function isToolCommand(message: string): boolean {
  return toolCommand.test(message);
}

function parseTool(text: string): BuiltInCommand | undefined {
  if (!isToolCommand(text)) return undefined;
  const [, name = '', json = ''] = /^\s*([^\s{]*)\s*([\s\S]*)$/u.exec(text.replace(toolCommand, '')) ?? [];
  const usage = `/tool ${name || 'NAME'} {"key": "value"}`;
  if (name === '') return { kind: 'invalid', problem: 'It needs the name of a tool.', usage };
  if (json.trim() === '') return call(name, {});
  const params = parseJson(json);
  if (isRecord(params)) return call(name, params);
  const problem =
    params === undefined
      ? `The parameters are not valid JSON: ${describeJsonError(json)}`
      : 'The parameters must be a JSON object.';
  return { kind: 'invalid', problem, usage };
}

function parseWrite(text: string): BuiltInCommand | undefined {
  const match = new RegExp(`^write\\s+${path}[ \\t]*(?::[ \\t]*\\r?\\n?([\\s\\S]*))?$`, 'iu').exec(text);
  if (match === null) return undefined;
  const content = match[5];
  if (content !== undefined) return call('write', { path: pathOf(match), content: withoutFence(content) });
  return {
    kind: 'invalid',
    problem: 'It needs a colon and the text to write.',
    usage: 'write notes.md: some text',
  };
}

/** The inside of a code fence, if that is all there is; it ends with a line feed, as files do. */
function withoutFence(content: string): string {
  const [opening = '', ...lines] = content.trim().split('\n');
  const fence = /^(`{3,}|~{3,})/u.exec(opening)?.[1];
  const closing = lines.pop();
  if (fence === undefined || closing !== fence || lines.some((line) => line.startsWith(fence)))
    return content;
  return lines.map((line) => `${line}\n`).join('');
}

function parseRead(text: string): BuiltInCommand | undefined {
  const match = new RegExp(`^read\\s+${path}(?::(\\d+)(?:-(\\d+))?)?\\s*$`, 'iu').exec(text);
  if (match === null) return undefined;
  const file = { path: pathOf(match) };
  if (match[5] === undefined) return call('read', file);
  const first = Math.max(1, Number(match[5]));
  if (match[6] === undefined) return call('read', { ...file, offset: first });
  const last = Math.max(1, Number(match[6]));
  return call('read', { ...file, offset: Math.min(first, last), limit: Math.abs(last - first) + 1 });
}

function parseList(text: string): BuiltInCommand | undefined {
  const match = new RegExp(`^(?:list|ls)(?:\\s+${path})?\\s*$`, 'iu').exec(text);
  if (match === null) return undefined;
  const folder = pathOf(match);
  return call('ls', folder === '' || /^files$/iu.test(folder) ? {} : { path: folder });
}

function parseFind(text: string): BuiltInCommand | undefined {
  const match = new RegExp(`^find\\s+${path}\\s*$`, 'iu').exec(text);
  if (match === null) return undefined;
  const name = pathOf(match);
  return call('glob', { pattern: /[*?[{/]/u.test(name) ? name : `**/${name}` });
}

function parseSearch(text: string): BuiltInCommand | undefined {
  const pattern = /^(?:search|grep)[ \t]+(\S[^\n]*)$/iu.exec(text.trimEnd())?.[1];
  if (pattern === undefined) return undefined;
  const quoted = /^(["'`])(.+)\1$/u.exec(pattern)?.[2];
  return call('grep', { pattern: quoted ?? pattern, literal: true });
}

const problems: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not a JSON value',
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'the closing brace is missing',
  CloseBracketExpected: 'the closing bracket is missing',
  EndOfFileExpected: 'there is something after the end',
  UnexpectedEndOfString: 'the closing double quote is missing',
  InvalidEscapeCharacter: 'a backslash stands before a character that needs none',
  InvalidCharacter: 'a text has a line break or a control character; write it as \\n',
};

/** What is wrong with a text that is no JSON, and where: `a comma is missing (line 1, character 12)`. */
function describeJsonError(text: string): string {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first === undefined) return 'it can not be read.';
  const before = text.slice(0, first.offset).split(/\r\n|\n|\r/u);
  const problem = problems[printParseErrorCode(first.error)] ?? 'this is not allowed';
  return `${problem} (line ${before.length}, character ${(before.at(-1) ?? '').length + 1}).`;
}
