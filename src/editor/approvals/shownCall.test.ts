import { describe, expect, it } from 'vitest';
import { connects } from '../../../test/builders/callContexts.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import type { CommandPart, ExecuteEffect } from '../../contracts/tool.ts';
import { namedQuestions, shownCall, shownParams } from './shownCall.ts';

const request = (
  params: Record<string, unknown>,
  { edits = [], ...more }: Partial<ApprovalRequest> = {},
): ApprovalRequest =>
  ({ title: 'Ask', description: '', askers: ['host'], params, edits, ...more }) as unknown as ApprovalRequest;

const runs = (command: string, parts?: readonly (string | CommandPart)[]): ExecuteEffect => ({
  kind: 'execute',
  command,
  workdir: '/w',
  host: 'local',
  verdict: 'ask',
  reason: 'not on the allow list',
  ...(parts === undefined
    ? {}
    : { parts: parts.map((part) => (typeof part === 'string' ? { text: part } : part)) }),
});

describe('the parameters as JSON', () => {
  it('shows every parameter of a call that has no diff', () => {
    expect(shownParams(request({ to: 'x', body: 'y' }))).toBe('{\n  "to": "x",\n  "body": "y"\n}');
  });

  it('shows hidden characters as codes', () => {
    expect(shownParams(request({ to: 'a\u202Eb' }))).toContain('"a⟨U+202E⟩b"');
  });

  it('shows nothing where a diff does, or where there is nothing to show', () => {
    const edits = [{ path: '/a', label: 'a', before: null, after: '' }];
    expect(shownParams(request({ a: 1 }, { edits }))).toBeUndefined();
    expect(shownParams(request({}))).toBeUndefined();
  });

  it('says how much there is when it cuts', () => {
    expect(shownParams(request({ text: 'x'.repeat(9_000) }))).toContain('characters in all');
  });
});

describe('the call below its question', () => {
  it('is empty where the question says all of it', () => {
    const short = request({ command: 'npm test' }, { description: 'npm test', effects: [runs('npm test')] });
    expect(shownCall(short)).toMatchObject({ markdown: '', isWhole: true });
  });

  it('is a short command by itself, with the reason of Pincer below it', () => {
    const asked = { description: 'not on the allow list · npm test', effects: [runs('npm test')] };
    expect(shownCall(request({ command: 'npm test' }, asked))).toEqual({
      description: '',
      reason: 'not on the allow list',
      markdown: '` npm test `',
      isWhole: true,
    });
  });

  it('has the arguments of an MCP call once, whole, with what the server says of it below them', () => {
    const params = { path: 'a.md', text: 'Ahoy\u200B.' };
    const json = '{"path":"a.md","text":"Ahoy⟨U+200B⟩."}';
    const call = { title: 'Call write of the MCP server files', description: json };
    expect(shownCall(request(params, call))).toEqual({
      description: '',
      reason: '',
      markdown: '\\- ` path `: ` a.md `  \n\\- ` text `: ` Ahoy⟨U+200B⟩. `',
      isWhole: true,
    });
    const warned = { ...call, description: `the server says that this may destroy something: ${json}` };
    expect(shownCall(request(params, warned))).toMatchObject({
      description: '',
      reason: 'the server says that this may destroy something',
    });
    // What a plugin says beside it is nobody's to cut.
    const both = { ...call, askers: ['host', 'guard'], description: `${json} · guard: no` };
    expect(shownCall(request(params, both)).description).toContain('guard: no');
    const long = { text: 'x'.repeat(3_000) };
    const cut = shownCall(request(long, { ...call, description: JSON.stringify(long).slice(0, 256) }));
    expect(cut).toMatchObject({ description: '', isWhole: false });
    expect(cut.markdown).toContain('characters in all');
  });

  it('is a short command by itself below what a plugin says of it', () => {
    const asked = {
      askers: ['host', 'guard'],
      description: 'not on the allow list · npm test · guard: Mind this',
      effects: [runs('npm test')],
    };
    expect(shownCall(request({ command: 'npm test' }, asked))).toMatchObject({
      description: 'not on the allow list · npm test · guard: Mind this',
      reason: '',
    });
  });

  it('shows a command whole, then its parts, then the other parameters', () => {
    const command = 'cd app && npm test';
    const effects = [runs(command, ['cd app', 'npm test'])];
    expect(shownCall(request({ command, timeout: 5 }, { effects }))).toMatchObject({
      markdown: '` cd app && npm test `\n\n1\\. ` cd app `  \n2\\. ` npm test `\n\n\\- ` timeout `: ` 5 `',
      isWhole: true,
    });
  });

  it('lists neither the command itself as a part nor what it writes to, which stands in it', () => {
    const command = 'echo ahoy > f';
    const effects = [runs(command, [{ text: command, pieces: ['> f'] }])];
    expect(shownCall(request({ command }, { effects }))).toMatchObject({
      markdown: '` echo ahoy > f `',
      isWhole: true,
    });
  });

  it('lists what a part writes to where the part is cut', () => {
    const long = `echo ${'x'.repeat(900)} > ~/.bashrc`;
    const command = `cd app && ${long}`;
    const effects = [runs(command, ['cd app', { text: long, pieces: ['> ~/.bashrc'] }])];
    const { markdown, isWhole } = shownCall(request({ command }, { effects }));
    expect({ isWhole, markdown }).toMatchObject({ isWhole: false });
    expect(markdown).toMatch(/^2\\\. ` echo x+… ` {2}\n3\\\. ` > ~\/\.bashrc `$/mu);
  });

  it('shows each line of a command by itself, hidden characters as codes', () => {
    const command = 'cat <<E\n\na\u200Bb\nE';
    expect(shownCall(request({ command }, { effects: [runs(command)] })).markdown).toBe(
      '` cat <<E `  \n` a⟨U+200B⟩b `  \n` E `',
    );
  });

  it('lets nothing inside end the code', () => {
    expect(shownCall(request({ text: 'a``` [x](command:y)`' })).markdown).toBe(
      '\\- ` text `: ```` a``` [x](command:y)` ````',
    );
  });

  it('lets no name of a parameter end the code either', () => {
    const name = 'x\n\n[Show whole call](command:pincer.approvals.allowAlways)\u202E';
    expect(shownCall(request({ [name]: 1 })).markdown).toBe(
      '\\- ` x ⏎  ⏎ [Show whole call](command:pincer.approvals.allowAlways)⟨U+202E⟩ `: ` 1 `',
    );
  });

  it('shows what an edit changes, whole or not at all', () => {
    const edit = { path: '/w/a.md', label: 'a.md', before: null, after: 'a\u200Bb\n' };
    expect(shownCall(request({ path: 'a.md' }, { edits: [edit] }))).toMatchObject({
      markdown: '` New file: a.md `  \n`   @@ -1,0 +1,1 @@ `  \n`   +a⟨U+200B⟩b `',
      isWhole: true,
    });
    const long = { ...edit, after: 'line\n'.repeat(300) };
    expect(shownCall(request({ path: 'a.md' }, { edits: [edit, long] }))).toMatchObject({
      markdown: '',
      isWhole: false,
    });
  });

  it('says first why it is asked and what its first and last parts are where it is cut', () => {
    const parts = Array.from({ length: 12 }, (_, at) => `echo ${String(at)} ${'x'.repeat(200)}`);
    const command = parts.join(' && ');
    const { markdown, isWhole } = shownCall(request({ command }, { effects: [runs(command, parts)] }));
    const lines = markdown.split('\n').filter((line) => line !== '');
    expect(isWhole).toBe(false);
    expect(lines[0]).toBe('` not on the allow list `');
    expect(lines[1]).toMatch(/^1\\\. ` echo 0 x+… ` *$/u);
    expect(lines.slice(5, 9).map((line) => line.slice(0, 10))).toEqual([
      '5\\. ` echo',
      '(4 more pa',
      '10\\. ` ech',
      '11\\. ` ech',
    ]);
    expect(lines[10]).toMatch(/^` echo 0 /u);
    expect(markdown.length).toBeLessThan(1_000);
    const asked = {
      effects: [runs(command, parts)],
      description: 'not on the allow list · echo 0 xxxxxxxxxxxxx',
    };
    const below = shownCall(request({ command }, asked));
    expect(below.markdown).toMatch(/^1\\\. /u);
    expect(below.description).toBe('not on the allow list');
  });

  it('says that it was cut, and how long it is', () => {
    const command = `echo ${'x'.repeat(9_000)} && rm -rf .`;
    const { markdown, isWhole } = shownCall(request({ command }, { effects: [runs(command)] }));
    expect(isWhole).toBe(false);
    expect(markdown).toContain('9017 characters in all');
    expect(markdown).toContain('&& rm -rf .');
    expect(markdown.length).toBeLessThan(1_000);
  });

  it('keeps the parts, with hidden characters as codes, beside a command that leaves no room for all of them', () => {
    const parts = [`cp ${'a'.repeat(70)}`, `cat ${'b'.repeat(70)}`, 'sh\u200B x'];
    const command = parts.join(' && ');
    const { markdown, isWhole } = shownCall(request({ command }, { effects: [runs(command, parts)] }));
    expect(isWhole).toBe(true);
    expect(markdown).toContain('sh⟨U+200B⟩ x `\n\n1\\. ` cp aaaaaaaaaaaaaaaaaaaa… `  \n2\\. ');
    expect(markdown).toMatch(/3\\\. ` sh⟨U\+200B⟩ x `$/u);
  });

  it('lists as many parts as there is room for, the last one among them', () => {
    const parts = Array.from({ length: 9 }, (_, at) => `echo ${'x'.repeat(12)} ${String(at)}`);
    const command = parts.join(' && ');
    const { markdown, isWhole } = shownCall(request({ command }, { effects: [runs(command, parts)] }));
    expect(isWhole).toBe(true);
    expect(
      markdown
        .split('\n\n')[1]
        ?.split('  \n')
        .map((line) => line.slice(0, 3)),
    ).toEqual(['1\\.', '2\\.', '3\\.', '(4 ', '8\\.', '9\\.']);
  });

  it('does not list lines of a command once more as its parts', () => {
    const lines = Array.from({ length: 12 }, (_, at) => `touch ${String(at)}`);
    const effects = [runs(lines.join('\n'), lines)];
    const { markdown, isWhole } = shownCall(request({ command: lines.join('\n') }, { effects }));
    expect(isWhole).toBe(true);
    expect(markdown.split('  \n')).toHaveLength(12);
  });
});

describe('a yes is offered only where all of it is in sight together', () => {
  const command = (lines: readonly string[]): ApprovalRequest =>
    request({ command: lines.join('\n') }, { effects: [runs(lines.join('\n'))] });
  const isWhole = (lines: readonly string[], beside: readonly string[] = []): boolean =>
    shownCall(command(lines), { beside }).isWhole;
  const times = (count: number, line: string): string[] => Array.from({ length: count }, () => line);

  it.each<[string, readonly string[], boolean]>([
    ['as many lines as fit', times(16, 'ls'), true],
    ['a line more', times(17, 'ls'), false],
    ['fewer lines that wrap', times(9, 'ls '.repeat(10)), false],
    ['words that leave much of each row empty', ['a-word-of-15-chr '.repeat(17)], false],
    ['a word longer than a row', ['x'.repeat(27 * 16)], true],
    ['one that is a little longer', ['x'.repeat(27 * 16 + 1)], false],
    ['wide characters', ['海'.repeat(27 * 9)], false],
    ['hidden characters, which stand as codes', ['\u200B'.repeat(50)], false],
  ])('%s', (_name, lines, expected) => {
    expect(isWhole(lines)).toBe(expected);
  });

  it('what else has to be in sight takes room', () => {
    expect(isWhole(times(12, 'ls'), ['Allow this · Allow that'])).toBe(true);
    expect(isWhole(times(12, 'ls'), ['Allow this · Allow that '.repeat(6)])).toBe(false);
  });

  it('where there is more room, a longer call stands there whole, with an overview of its parts', () => {
    const parts = Array.from({ length: 20 }, (_, at) => `echo ${'x'.repeat(40)} ${String(at)}`);
    const text = parts.join(' && ');
    const long = request({ command: text }, { effects: [runs(text, parts)] });
    expect(shownCall(long).isWhole).toBe(false);
    const { markdown, isWhole: isWholeThere } = shownCall(long, { room: 150 });
    expect(isWholeThere).toBe(true);
    expect(markdown).toContain(`\` ${text} \``);
    expect(markdown).toContain('(12 more parts)');
    expect(shownCall(long, { room: 20 }).isWhole).toBe(false);
  });

  it('also where the question itself says all of it', () => {
    const short = { description: 'npm test', effects: [runs('npm test')] };
    expect(shownCall(request({ command: 'npm test' }, short), { beside: ['x '.repeat(300)] })).toMatchObject({
      isWhole: false,
    });
  });

  it('an edit, too', () => {
    const edit = (lines: number): ApprovalRequest =>
      request({}, { edits: [{ path: '/a', label: 'a', before: null, after: 'x\n'.repeat(lines) }] });
    expect([shownCall(edit(12)).isWhole, shownCall(edit(40)).isWhole]).toEqual([true, false]);
  });
});

describe('the questions that one yes answers', () => {
  const asked = (command: string): ApprovalRequest => request({ command }, { effects: [runs(command)] });
  const named = (requests: readonly ApprovalRequest[]) =>
    namedQuestions({ kind: { does: 'command', root: '/w' }, requests });

  it('stand there by their commands, or by what their title says, and nothing in them ends the code', () => {
    const edits = [{ path: '/a.md', label: 'a.md', before: null, after: '' }];
    const { lines, markdown } = named([
      asked('npm test'),
      asked('a`b'),
      request({}, { title: 'Write a.md', edits }),
    ]);
    expect(lines).toEqual(['1. npm test', '2. a`b', '3. Write a.md']);
    expect(markdown).toBe('1\\. ` npm test `  \n2\\. `` a`b ``  \n3\\. ` Write a.md `');
  });

  it('name a connection by its whole address: pages of one host are told apart', () => {
    const asks = (url: string): ApprovalRequest =>
      request({ url }, { title: 'Fetch from a.io', effects: [{ ...connects('a.io'), url }] });
    const { lines } = named([asks('https://a.io/tides'), asks('https://a.io/moons')]);
    expect(lines).toEqual(['1. https://a.io/tides', '2. https://a.io/moons']);
  });

  it('are cut, and of many only some named, which is said', () => {
    const { lines } = named(Array.from({ length: 12 }, (_, at) => asked(`echo ${at} ${'x'.repeat(200)}`)));
    expect(lines).toHaveLength(8);
    expect(lines).toContain('(5 more questions)');
    expect(lines.at(-1)).toMatch(/^12\. echo 11 x+…$/u);
  });
});
