import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

const problems: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is no JSON value',
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
export function describeJsonError(text: string): string {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first === undefined) return 'it can not be read.';
  const before = text.slice(0, first.offset).split(/\r\n|\n|\r/u);
  const problem = problems[printParseErrorCode(first.error)] ?? 'this is not allowed';
  return `${problem} (line ${before.length}, character ${(before.at(-1) ?? '').length + 1}).`;
}
