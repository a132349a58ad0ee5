import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBuiltInCommand, type BuiltInCommand } from './parseBuiltInCommand.ts';

const call = (tool: string, params: Record<string, unknown>): BuiltInCommand => ({
  kind: 'call',
  tool,
  arguments: params,
});
const question = (text: string): BuiltInCommand => ({ kind: 'question', text });

describe('parseBuiltInCommand: read', () => {
  it.each([
    ['read README.md', { path: 'README.md' }],
    ['  Read  docs/a.md  ', { path: 'docs/a.md' }],
    ['read "my notes.md"', { path: 'my notes.md' }],
    ['read `a.md`', { path: 'a.md' }],
    ["read 'a b.md':3", { path: 'a b.md', offset: 3 }],
    ['read #file:README.md', { path: 'README.md' }],
    ['read a.md:10-20', { path: 'a.md', offset: 10, limit: 11 }],
    ['read a.md:20-10', { path: 'a.md', offset: 10, limit: 11 }],
    ['read a.md:7', { path: 'a.md', offset: 7 }],
    ['read a.md:0-2', { path: 'a.md', offset: 1, limit: 2 }],
    [String.raw`read C:\docs\a.md:5`, { path: String.raw`C:\docs\a.md`, offset: 5 }],
  ])('takes %s', (text, params) => {
    expect(parseBuiltInCommand(text)).toEqual(call('read', params));
  });

  it.each(['read the docs on hooks', 'reading', 'read', 'read a.md and b.md', 'read a.md:x'])(
    'takes “%s” for a question',
    (text) => {
      expect(parseBuiltInCommand(text)).toEqual(question(text));
    },
  );
});

describe('parseBuiltInCommand: write', () => {
  it.each([
    ['write notes.md: some text', 'some text'],
    ['write notes.md:some text', 'some text'],
    ['write notes.md : a: b', 'a: b'],
    ['write notes.md: one\n\n  two\n', 'one\n\n  two\n'],
    ['write notes.md:\none\ntwo', 'one\ntwo'],
    ['write notes.md:\r\none', 'one'],
    ['write "notes.md": x', 'x'],
    ['write notes.md:', ''],
    ['write notes.md:\n```md\n# A\n```\n', '# A\n'],
    ['write notes.md: ````\n```\na\n```\n````', '```\na\n```\n'],
    ['write notes.md:\n```\na\n```\nand\n```\nb\n```', '```\na\n```\nand\n```\nb\n```'],
    ['write notes.md:\n```\n```', ''],
  ])('takes %j', (text, content) => {
    expect(parseBuiltInCommand(text)).toEqual(call('write', { path: 'notes.md', content }));
  });

  it('takes a drive letter for a part of the path', () => {
    expect(parseBuiltInCommand(String.raw`write C:\notes.md: x`)).toEqual(
      call('write', { path: String.raw`C:\notes.md`, content: 'x' }),
    );
  });

  it('says what is missing where there is a file and no text', () => {
    expect(parseBuiltInCommand('write notes.md')).toMatchObject({
      kind: 'invalid',
      usage: 'write notes.md: some text',
    });
  });

  it.each(['write a poem about plugins', 'write this down: hello', 'write'])(
    'takes “%s” for a question',
    (text) => {
      expect(parseBuiltInCommand(text)).toEqual(question(text));
    },
  );
});

describe('parseBuiltInCommand: list, find, search', () => {
  it.each([
    ['list', call('ls', {})],
    ['list files', call('ls', {})],
    ['ls docs/api', call('ls', { path: 'docs/api' })],
    ['list "my folder"', call('ls', { path: 'my folder' })],
    ['find **/*.md', call('glob', { pattern: '**/*.md' })],
    ['find docs/a.md', call('glob', { pattern: 'docs/a.md' })],
    ['find README.md', call('glob', { pattern: '**/README.md' })],
    ['search TODO: later', call('grep', { pattern: 'TODO: later', literal: true })],
    ['search "a (b"', call('grep', { pattern: 'a (b', literal: true })],
    ['grep  x ', call('grep', { pattern: 'x', literal: true })],
  ])('takes %s', (text, command) => {
    expect(parseBuiltInCommand(text)).toEqual(command);
  });

  it.each(['list all the plugins', 'find out how hooks work', 'search', 'searching'])(
    'takes “%s” for a question',
    (text) => {
      expect(parseBuiltInCommand(text)).toEqual(question(text));
    },
  );
});

describe('parseBuiltInCommand: /tool', () => {
  it.each([
    ['/tool weather {"city": "Graz"}', call('weather', { city: 'Graz' })],
    ['/tool weather{"city": "Graz"}', call('weather', { city: 'Graz' })],
    ['/tool my.tool-2\n{\n"a": [1]\n}', call('my.tool-2', { a: [1] })],
    ['/tool weather', call('weather', {})],
  ])('takes %j', (text, command) => {
    expect(parseBuiltInCommand(text)).toEqual(command);
  });

  it.each([
    ['/tool x {"a" 1}', 'a colon is missing (line 1, character 6)'],
    ['/tool x {"a": 1,\n "b": }', 'a value is missing (line 2, character 7)'],
    ['/tool x {bad}', 'character 2)'],
    ['/tool x {"a": 1', 'the closing brace is missing (line 1, character'],
    ["/tool x {'a': 1}", 'line 1, character 2'],
    ['/tool x {"a": 1} {}', 'there is something after the end (line 1, character 10)'],
    ['/tool x [1]', 'must be a JSON object'],
    ['/tool x 3', 'must be a JSON object'],
  ])('says what is wrong with %j, and where', (text, problem) => {
    expect(parseBuiltInCommand(text)).toMatchObject({
      kind: 'invalid',
      problem: expect.stringContaining(problem) as unknown,
      usage: '/tool x {"key": "value"}',
    });
  });

  it('asks for the name of the tool', () => {
    for (const text of ['/tool', '/tool {"a": 1}']) {
      expect(parseBuiltInCommand(text)).toMatchObject({
        kind: 'invalid',
        problem: 'It needs the name of a tool.',
      });
    }
  });

  it('takes no other slash command', () => {
    expect(parseBuiltInCommand('/tools').kind).toBe('question');
  });
});

describe('parseBuiltInCommand: the rest', () => {
  it.each(['', '  ', 'help', 'Hi!', 'hello there', 'What can you do?', '?'])(
    'takes “%s” for a call for help',
    (text) => {
      expect(parseBuiltInCommand(text)).toEqual({ kind: 'help' });
    },
  );

  it('takes any other text for a question', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(['call', 'invalid', 'help', 'question']).toContain(parseBuiltInCommand(text).kind);
      }),
    );
    expect(parseBuiltInCommand(' How do I add a plugin? ')).toEqual(question('How do I add a plugin?'));
  });
});
