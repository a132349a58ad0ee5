import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connects, executes } from '../../test/builders/callContexts.ts';
import { hasHiddenCharacters } from '../base/text.ts';
import type { ApprovalRequest } from '../contracts/approval.ts';
import type { CommandPart } from '../contracts/tool.ts';
import { changeText, fullCall, isShownTo, isShownWhole } from './fullCall.ts';

function requestOf(parts: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id: 'r1',
    sessionId: 's1',
    sessionKey: 'main',
    runId: 'run-1',
    toolCallId: 'call-1',
    toolName: 'exec',
    callHash: 'h',
    title: 'Run a command',
    description: 'npm test · not on the allow list',
    severity: 'warning',
    askers: ['host', 'guard'],
    decisions: ['allow-once', 'deny'],
    grantLabel: '',
    params: { command: 'npm test' },
    edits: [],
    createdAt: 0,
    timeoutMs: 1,
    isTimeWatched: true,
    wider: [],
    ...parts,
  };
}

describe('the whole call', () => {
  test('lists as parts of a command neither the command itself nor its lines', () => {
    const callOf = (command: string, parts: readonly CommandPart[]): string =>
      fullCall(requestOf({ effects: [executes(command, { parts })] }));
    expect(callOf('echo a > b', [{ text: 'echo a > b', pieces: ['> b'] }])).not.toContain('Parts');
    expect(callOf('ls\npwd\n', [{ text: 'ls' }, { text: 'pwd' }])).not.toContain('Parts');
  });

  test('lists what a command writes to by itself only where its row is cut before that', () => {
    const partsOfCall = (command: string, target: string): string | undefined => {
      const parts = [{ text: 'cd app' }, { text: `${command} > ${target}`, pieces: [`> ${target}`] }];
      const text = fullCall(
        requestOf({ effects: [executes(`cd app && ${command} > ${target}`, { parts })] }),
      );
      return /Parts\n(?<parts>(?: {2}.*\n)*)/u.exec(text)?.groups?.['parts'];
    };
    expect(partsOfCall('npm test', 'a.txt')).toBe('  1. cd app\n  2. npm test > a.txt\n');
    expect(partsOfCall(`echo ${'x'.repeat(100)}`, '~/.bashrc')).toMatch(/x…\n {2}3\. > ~\/\.bashrc\n$/u);
    // Codes of hidden characters take room, too.
    expect(partsOfCall(`echo ${'\u200B'.repeat(20)}`, '~/.bashrc')).toMatch(/…\n {2}3\. > ~\/\.bashrc\n$/u);
  });

  test('begins with what is asked, why and by whom, then has the command as it is, and every parameter', () => {
    const text = fullCall(
      requestOf({
        effects: [
          executes('npm test && \\\n  rm -rf dist', {
            parts: [{ text: 'npm test' }, { text: 'rm -rf dist' }],
          }),
        ],
        params: { command: 'npm test', env: { TOKEN: 'x' } },
      }),
    );
    expect(text).toBe(
      [
        'Question',
        '  Run a command',
        '  npm test · not on the allow list',
        '  tool: exec',
        '  asked by: Pincer, plugin guard',
        '  severity: warning',
        '',
        'Environment',
        '  TOKEN',
        '',
        'Runs',
        '  not on the allow list',
        '  on this computer',
        '  in /w',
        '',
        'Parts',
        '  1. npm test',
        '  2. rm -rf dist',
        '',
        'Command (2 lines, 27 characters)',
        '  npm test && \\',
        '    rm -rf dist',
        '',
        'Parameters',
        '  {',
        '    "command": "npm test",',
        '    "env": {',
        '      "TOKEN": "x"',
        '    }',
        '  }',
        '',
      ].join('\n'),
    );
  });

  test('holds a command of 2,000 characters to its end', () => {
    const command = `echo ${'x'.repeat(1_980)} && rm -rf ~`;
    expect(fullCall(requestOf({ effects: [executes(command)] }))).toContain(`  ${command}\n`);
  });

  test('names the address and the host of a connection', () => {
    expect(fullCall(requestOf({ effects: [connects('example.com')] }))).toContain(
      'Connection\n  https://example.com/\n  to example.com\n',
    );
  });

  test('shows what changes in a file, and very different texts one after the other', () => {
    const edit = { path: '/w/a.md', label: 'a.md', before: 'one\ntwo\n', after: 'one\n2\n' };
    expect(fullCall(requestOf({ edits: [edit] }))).toContain(
      'Changed file: a.md\n  @@ -1,2 +1,2 @@\n   one\n  -two\n  +2\n',
    );
    const lines = (word: string): string =>
      Array.from({ length: 3_000 }, (_, at) => `${word} ${at}\n`).join('');
    const rewritten = fullCall(
      requestOf({ edits: [{ ...edit, before: lines('old'), after: lines('new') }] }),
    );
    expect(rewritten).toContain('  -old 2999\n');
    expect(rewritten).toContain('  +new 2999\n');
  });

  test('has the arguments of an MCP call once, among the parameters', () => {
    const params = { path: 'notes/a.md' };
    const text = fullCall(
      requestOf({
        params,
        description: `this may destroy something: ${JSON.stringify(params)}`,
        askers: ['host'],
      }),
    );
    expect(text.split('notes/a.md')).toHaveLength(2);
    expect(text).toContain('  this may destroy something\n');
  });

  test('only its own headings begin at the margin, and nothing hidden stays, whatever the call says', () => {
    const headings =
      /^(?:Command \(\d+ lines?, \d+ characters?\)|Parts|Runs|Connection|Environment|Question|Parameters|(?:New|Changed|Deleted) file: .*)$/u;
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, text, (command, param, name) => {
        const shown = fullCall(
          requestOf({
            effects: [
              executes(command, { workdir: param, reason: name, parts: [{ text: param }] }),
              connects(name, { url: param }),
            ],
            params: { command, [name]: [param], env: { [name]: param } },
            toolName: name,
            askers: [param],
            edits: [{ path: '/w/a', label: name, before: command, after: param }],
          }),
        );
        expect(hasHiddenCharacters(shown)).toBe(false);
        const atMargin = shown.split('\n').filter((line) => line !== '' && !line.startsWith('  '));
        expect(atMargin.filter((line) => !headings.test(line))).toEqual([]);
      }),
    );
  });
});

test('what an edit changes can be said alone', () => {
  const edit = { path: '/w/a.md', label: 'a.md', before: null, after: 'one\n' };
  expect(changeText([edit])).toBe('New file: a.md\n  @@ -1,0 +1,1 @@\n  +one\n');
});

describe('a call that its question does not say whole was shown', () => {
  const edits = [{ path: '/a', label: 'a', before: null, after: 'x' }];
  const edit = requestOf({ edits, params: {} });
  const mixed = requestOf({ edits, effects: [executes('npm test')] });

  test.each([
    ['in the answer of the chat, to its buttons and key', edit, 'answer', 'chat button', true],
    ['in the answer of the chat, to its key', edit, 'answer', 'chat key', true],
    ['in the Chat view, to its key', edit, 'page', 'chat view key', true],
    ['not to /approve, which may be typed in another chat', edit, 'answer', 'chat', false],
    ['not to the other surfaces', edit, 'answer', 'view', false],
    ['in the terminal, there', edit, 'terminal', 'terminal', true],
    ['in an editor of its own, everywhere', mixed, 'call', 'notification', true],
    ['as a diff, everywhere', edit, 'diff', 'chat', true],
    ['not as a diff where it runs a command, too', mixed, 'diff', 'review', false],
  ] as const)('%s', (_name, request, place, by, expected) => {
    expect(isShownTo(request, new Set(), by)).toBe(false);
    expect(isShownTo(request, new Set([place]), by)).toBe(expected);
  });
});

describe('a short call takes a yes where a row that is cut at its end has room for it', () => {
  const requestFor = (command: string): ApprovalRequest =>
    requestOf({
      description: `not on the allow list · ${command}`,
      effects: [executes(command)],
      params: { command },
    });

  test.each([
    ['npm test', ['view', 'palette', 'notification']],
    ['npm run build && rm -rf build', ['palette', 'notification']],
    ['漢字漢字漢字漢字', ['palette', 'notification']],
    [`echo ${'a'.repeat(150)} && rm -rf build`, ['notification']],
  ])('%s', (command, expected) => {
    const request = requestFor(command);
    const surfaces = ['view', 'palette', 'notification'] as const;
    expect(surfaces.filter((by) => isShownTo(request, new Set(), by))).toEqual(expected);
    expect(surfaces.filter((by) => isShownTo(request, new Set(['call']), by))).toEqual(surfaces);
  });

  test('counts the words of the asker where the call says nothing', () => {
    const request = requestOf({ title: 'Go on', description: 'it deletes all of your backups', params: {} });
    expect([isShownTo(request, new Set(), 'view'), isShownTo(request, new Set(), 'palette')]).toEqual([
      false,
      true,
    ]);
  });
});

describe('title and description show the whole call', () => {
  test.each<[string, Partial<ApprovalRequest>, boolean]>([
    ['where the command is all there is', {}, true],
    ['where there is nothing to say', { effects: [], params: {} }, true],
    ['not where a tool names no command: its parameters stand nowhere', { effects: [] }, false],
    ['not where a character is hidden', { effects: [executes('npm\u00A0test')] }, false],
    [
      'not where files change: that stands in a diff',
      { effects: [], edits: [{ path: '/a', label: 'a', before: null, after: '' }], params: {} },
      false,
    ],
    [
      'not where a value repeats the command',
      { params: { command: 'npm test', env: { A: 'npm test' } } },
      false,
    ],
    ['not where two say the same', { params: { command: 'npm test', other: 'npm test' } }, false],
    ['not where a value says nothing', { effects: [], params: { force: null } }, false],
    ['not where it is empty', { effects: [], params: { drop: {} } }, false],
    ['not where a parameter is missing', { params: { command: 'npm test', timeout: 30 } }, false],
    ['not where a parameter deep inside is missing', { params: { to: [{ who: 'all' }] } }, false],
    ['not where the description is cut', { description: 'npm test…' }, false],
    ['not where the title is cut', { title: 'Run…' }, false],
  ])('%s', (_name, parts, expected) => {
    expect(isShownWhole(requestOf({ effects: [executes('npm test')], ...parts }))).toBe(expected);
  });
});
