import { describe, expect, it } from 'vitest';
import { createPlainText } from './createPlainText.ts';

function plain(...chunks: readonly string[]): string {
  const text = createPlainText();
  return chunks.map((chunk) => text.push(chunk)).join('') + text.flush();
}

describe('createPlainText', () => {
  it('takes escapes away', () => {
    expect(plain(String.raw`[docs/a\.md\:8](/w/docs/a.md:8) \*not bold\* 1\\2`)).toBe(
      String.raw`[docs/a.md:8](/w/docs/a.md:8) *not bold* 1\2`,
    );
  });

  it('leaves a backslash that escapes nothing', () => {
    expect(plain(String.raw`C:\dir \d+`)).toBe(String.raw`C:\dir \d+`);
  });

  it('ends a line with a line break without its backslash', () => {
    expect(plain('> one\\\n> two')).toBe('> one\n> two');
  });

  it('leaves code in the line as it is', () => {
    expect(plain('a\\. `b\\.` ``c\\.`d\\.`` e\\.')).toBe('a. `b\\.` ``c\\.`d\\.`` e.');
  });

  it('knows an escaped and a lone backtick from the beginning of code', () => {
    expect(plain('\\`a\\.\\` b\\.')).toBe('`a.` b.');
    expect(plain('a ` b\\.')).toBe('a ` b.');
  });

  it('leaves fenced code as it is, also in a quote, up to the fence that ends it', () => {
    const code = ['````', '```', 'a\\.b', '````'];
    expect(plain([...code, 'c\\.'].join('\n'))).toBe([...code, 'c.'].join('\n'));
    const quoted = ['> ~~~sh', '> a\\.b', '> ~~~'];
    expect(plain([...quoted, '> c\\.'].join('\n'))).toBe([...quoted, '> c.'].join('\n'));
  });

  it('takes a fence with words behind it for the beginning of code only', () => {
    expect(plain('```\n``` x\na\\.\n```\nb\\.')).toBe('```\n``` x\na\\.\n```\nb.');
  });

  it('leaves indented lines as they are', () => {
    expect(plain('    a\\.b')).toBe('    a\\.b');
  });

  it('reads the same in pieces of any size', () => {
    const text = 'a\\. `b\\.`\n```\nc\\.\n```\nd\\.';
    expect(plain(...text.split(/(?=.)/su))).toBe(plain(text));
  });
});
