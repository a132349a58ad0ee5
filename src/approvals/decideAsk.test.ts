import { connects, executes } from '../../test/builders/callContexts.ts';
import { describe, expect, test } from 'vitest';
import type { ToolEffect } from '../contracts/tool.ts';
import type { ApprovalAsk } from '../contracts/approval.ts';
import { approvalModes } from './decideMode.ts';
import {
  decideAsk,
  describeEdit,
  refusedForRemote,
  type ApprovalMode,
  type HostVerdict,
  type JudgePath,
} from './decideAsk.ts';
import { planGrantScope } from './planGrantScope.ts';

const judgePath: JudgePath = (path, op) => ({
  workspace: path.startsWith('/w/') ? '/w' : undefined,
  relative: path.slice(3),
  label: path.slice(3),
  ...(path.includes('.git/') && op === 'write' ? { protection: 'Git runs its hooks' } : {}),
  ...(path.endsWith('.env') ? { protection: 'it may hold secrets' } : {}),
});

function edit(path: string, before: string | null = null, after = 'one\n'): ToolEffect {
  return { kind: 'edit', edit: { path, label: path.slice(3), before, after } };
}

function judge(effects: readonly ToolEffect[], mode: ApprovalMode = 'ask'): HostVerdict {
  return decideAsk(effects, { mode, judgePath });
}

/** The question, or undefined where there is none. */
function ask(effects: readonly ToolEffect[], mode: ApprovalMode = 'ask'): ApprovalAsk | undefined {
  const verdict = judge(effects, mode);
  return verdict.kind === 'ask' ? verdict.ask : undefined;
}

const plainEdit = edit('/w/a.md');
const protectedEdit = edit('/w/.git/config');

describe('the host asks', () => {
  test('nothing about reading in the workspace', () => {
    expect(judge([{ kind: 'read', path: '/w/a.md' }])).toEqual({ kind: 'free' });
    expect(judge([])).toEqual({ kind: 'free' });
  });

  test('about a message to another session, with all of it, in every mode but full', () => {
    const effects: ToolEffect[] = [{ kind: 'message', sessionId: 's1', to: 'Plans', text: 'go\u202e on' }];
    expect(ask(effects)).toMatchObject({
      title: 'Send to the session "Plans"',
      description: expect.stringMatching(/^another agent acts on it: go.*on$/u) as string,
      severity: 'warning',
    });
    expect(ask(effects)?.description).not.toContain('\u202e');
    expect(ask(effects, 'auto')).toBeDefined();
    expect(judge(effects, 'full')).toEqual({ kind: 'free' });
    expect(planGrantScope('sessions_send', effects, '/w', judgePath)?.targets).toEqual(['s1']);
  });

  test('about every edit, with its size', () => {
    expect(ask([edit('/w/notes.md', null, 'a\nb\n')])).toEqual({
      asker: 'host',
      title: 'Write notes.md',
      description: 'new file, 2 lines',
      severity: 'warning',
    });
  });

  test('about secrets that are read and protected files that are written, as critical', () => {
    expect(ask([{ kind: 'read', path: '/w/.env' }])).toMatchObject({
      title: 'Read .env',
      severity: 'critical',
    });
    expect(ask([edit('/w/.git/hooks/pre-commit')])).toMatchObject({
      severity: 'critical',
      description: 'Git runs its hooks; new file, 1 line',
    });
  });

  test('about a command, with where it runs in the title, where the command itself can not forge it', () => {
    expect(ask([executes('npm test', { workdir: '/w/docs' })])).toEqual({
      asker: 'host',
      title: 'Run a command, in docs',
      description: 'not on the allow list · npm test',
      severity: 'warning',
    });
    expect(ask([executes('npm test', { host: 'sandbox' })])).toMatchObject({
      title: 'Run a command in the sandbox',
      severity: 'info',
    });
  });

  test('nothing about an allow-listed command, but about one in a protected folder', () => {
    expect(judge([executes('git status', { verdict: 'allowed' })])).toEqual({ kind: 'free' });
    const inside = executes('git status', { verdict: 'allowed', workdir: '/w/.git/hooks' });
    for (const mode of approvalModes) expect(ask([inside], mode)).toMatchObject({ severity: 'critical' });
  });

  test('about a host that is new, and says it where text from outside may have asked for the connection', () => {
    expect(ask([connects('example.com')])).toMatchObject({
      title: 'Connect to example.com',
      description: 'a host you have not allowed: https://example.com/',
    });
    expect(ask([connects('example.com', { isTainted: true })])?.description).toContain(
      'text that is not yours',
    );
    expect(judge([connects('example.com', { isAllowed: true, isTainted: true })])).toEqual({ kind: 'free' });
  });

  test('one question for several effects, the protected one first', () => {
    expect(ask([plainEdit, protectedEdit])).toMatchObject({
      title: 'Write .git/config and 1 more',
      severity: 'critical',
      description: 'Git runs its hooks; new file, 1 line · Write a.md: new file, 1 line',
    });
  });

  test('with hidden characters of paths, commands and addresses as codes', () => {
    expect(ask([edit('/w/a\u202Egpj.md')])?.title).toBe('Write a⟨U+202E⟩gpj.md');
    expect(ask([executes('ls\u200B\u00A0-la\nrm x')])?.description).toContain('ls⟨U+200B⟩⟨U+00A0⟩-la ⏎ rm x');
    expect(ask([connects('x', { url: 'https://x/\u2066' })])?.description).toContain('https://x/⟨U+2066⟩');
  });
});

describe('a mode asks', () => {
  const newHost = connects('example.com');
  const tainted = connects('example.com', { isTainted: true });
  const command = executes('rm x');
  const boxed = executes('rm x', { host: 'sandbox' });
  const secret: ToolEffect = { kind: 'read', path: '/w/.env' };
  const everything = { plainEdit, newHost, tainted, command, boxed, protectedEdit, secret };

  test.each<[ApprovalMode, readonly (keyof typeof everything)[]]>([
    ['deny', ['plainEdit', 'newHost', 'tainted', 'command', 'boxed', 'protectedEdit', 'secret']],
    ['allowlist', ['plainEdit', 'newHost', 'tainted', 'command', 'boxed', 'protectedEdit', 'secret']],
    ['ask', ['plainEdit', 'newHost', 'tainted', 'command', 'boxed', 'protectedEdit', 'secret']],
    ['auto', ['tainted', 'command', 'boxed', 'protectedEdit', 'secret']],
    ['full', ['protectedEdit', 'secret']],
  ])('%s: about %j', (mode, expected) => {
    const asked = Object.entries(everything).filter(([, effect]) => ask([effect], mode) !== undefined);
    expect(asked.map(([name]) => name)).toEqual(expected);
  });

  test.each(approvalModes)(
    '%s: never about what the deny list names, since nobody can approve it',
    (mode) => {
      const denied = executes('rm -rf /', { verdict: 'denied', reason: 'the deny list names rm' });
      expect(judge([plainEdit, denied], mode)).toEqual({ kind: 'refused', reason: 'the deny list names rm' });
    },
  );
});

test.each([
  ['a\nb\nc\n', 'a\nB\nc\nd\n', '+2 −1 lines'],
  ['a\n', '', '+0 −1 line'],
  ['a\r\nb', 'a\r\nb\r\n', '+1 −1 lines'],
])('an edit of %j to %j is %s', (before, after, expected) => {
  expect(describeEdit({ path: '/w/a', label: 'a', before, after })).toBe(expected);
});

test('a rewrite too large to compare is counted as all of its middle', () => {
  const before = `same\n${Array.from({ length: 3_000 }, (_, at) => `old ${at}\n`).join('')}end\n`;
  expect(describeEdit({ path: '/w/a', label: 'a', before, after: before.replaceAll('old', 'new') })).toBe(
    '+3000 −3000 lines',
  );
});

describe('an always covers', () => {
  const scope = (toolName: string, effects: readonly ToolEffect[]): ReturnType<typeof planGrantScope> =>
    planGrantScope(toolName, effects, '/w', judgePath);

  test('exactly the one file', () => {
    expect(scope('write', [edit('/w/docs/a[1].md')])).toEqual({
      workspace: '/w',
      targets: ['docs/a[1].md'],
      label: 'write docs/a[1].md',
    });
  });

  test("exactly the command's own pattern, in the folder's workspace, and nothing where it has none", () => {
    const inside = { workdir: '/w/docs' };
    expect(scope('exec', [executes('npm test', { ...inside, patterns: ['npm test'] })])).toEqual({
      workspace: '/w',
      targets: ['in docs: npm test'],
      label: 'exec in docs: npm test',
    });
    expect(scope('exec', [executes('npm test $(x)', inside)])).toBeUndefined();
    expect(scope('exec', [executes('npm test', { workdir: '/x', patterns: ['npm test'] })])).toBeUndefined();
  });

  test('each step of a command alone, and says all of them', () => {
    const patterns = ['npm run build', 'npm test'] as const;
    expect(scope('exec', [executes('npm run build && npm test', { workdir: '/w/docs', patterns })])).toEqual({
      workspace: '/w',
      targets: ['in docs: npm run build', 'in docs: npm test'],
      label: 'exec in docs: npm run build, npm test',
    });
    const forged = ['npm test', 'sandbox: npm test'] as const;
    expect(scope('exec', [executes('x', { workdir: '/w/docs', patterns: forged })])).toBeUndefined();
  });

  test('a folder of several, whose name it says', () => {
    const judgeSeveral: JudgePath = (path, op) => ({ ...judgePath(path, op), label: `boat${path.slice(2)}` });
    const label = (toolName: string, effect: ToolEffect) =>
      planGrantScope(toolName, [effect], '/w', judgeSeveral)?.label;
    expect(label('write', edit('/w/a.md'))).toBe('write boat/a.md');
    expect(label('exec', executes('npm test', { workdir: '/w/docs', patterns: ['npm test'] }))).toBe(
      'exec in boat/docs: npm test',
    );
  });

  test('in the sandbox only what was allowed in the sandbox', () => {
    const inside = { workdir: '/w/docs', patterns: ['npm test'] as const };
    const boxed = scope('exec', [executes('npm test', { ...inside, host: 'sandbox' })]);
    expect(boxed?.targets).toEqual(['in docs: sandbox: npm test']);
    const forged = executes('x', { ...inside, patterns: ['sandbox: npm test'] });
    expect(scope('exec', [forged])).toBeUndefined();
  });

  test('exactly the one host', () => {
    expect(scope('fetch', [connects('example.com')])?.targets).toEqual(['example.com']);
  });

  test('a tool without a target with any parameters, and says so', () => {
    expect(scope('deploy', [])).toEqual({
      workspace: '/w',
      targets: ['*'],
      label: 'deploy with any parameters',
    });
  });

  test('nothing where several targets or one outside are touched', () => {
    expect(scope('patch', [edit('/w/a.md'), edit('/w/b.md')])).toBeUndefined();
    expect(scope('write', [edit('/x/a.md')])).toBeUndefined();
  });

  test('nothing where the literal target would read as a pattern', () => {
    expect(scope('write', [edit('/w/*')])).toBeUndefined();
    expect(scope('write', [edit('/w/docs/**')])).toBeUndefined();
    const inside = { workdir: '/w/docs', patterns: ['ls /**'] as const };
    expect(scope('exec', [executes('ls /**', inside)])).toBeUndefined();
  });
});

describe('in a turn that a sender of a channel began', () => {
  const who = 'A sender on Telegram';
  const tool = (mayWrite: boolean) => ({ name: 'post', mayWrite });
  const judgeFor = (kind: 'read' | 'ask', effects: readonly ToolEffect[], mayWrite = true) =>
    decideAsk(effects, { mode: 'full', judgePath, remote: { policy: { kind, who }, tool: tool(mayWrite) } });
  const reads: readonly ToolEffect[] = [{ kind: 'read', path: '/w/a.md' }];

  test('who reads is refused whatever asks, whatever the mode, and every tool that may change something', () => {
    expect(judgeFor('read', reads, false)).toEqual({ kind: 'free' });
    expect(judgeFor('read', [plainEdit])).toEqual({
      kind: 'refused',
      reason: `${who} began this turn, and nobody is asked for them: Write a.md`,
    });
    const policy = { kind: 'read', who } as const;
    expect(refusedForRemote({ policy, tool: tool(true) })).toContain(`${who} began this turn`);
    expect(refusedForRemote({ policy, tool: tool(false) })).toBeUndefined();
    expect(refusedForRemote({ policy: { kind: 'ask', who }, tool: tool(true) })).toBeUndefined();
  });

  test('for who is the user each change is a critical question, whatever the mode, and reading is free', () => {
    expect(judgeFor('ask', reads, false)).toEqual({ kind: 'free' });
    expect(judgeFor('ask', [plainEdit])).toMatchObject({
      ask: {
        title: 'Write a.md',
        description: `${who} asked for it: new file, 1 line`,
        severity: 'critical',
      },
    });
    expect(judgeFor('ask', [])).toMatchObject({ ask: { title: 'Call post', severity: 'critical' } });
  });

  test('what the deny list names stays refused', () => {
    const denied = executes('rm -rf /', { verdict: 'denied', reason: 'listed' });
    expect(judgeFor('ask', [denied])).toEqual({ kind: 'refused', reason: 'listed' });
  });
});
