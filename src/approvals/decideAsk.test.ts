import { connects, executes } from '../../test/builders/callContexts.ts';
import { describe, expect, test } from 'vitest';
import type { ToolEffect } from '../contracts/tool.ts';
import { decideAsk, describeEdit, type ApprovalMode, type JudgePath } from './decideAsk.ts';
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

function ask(effects: readonly ToolEffect[], mode: ApprovalMode = 'ask'): ReturnType<typeof decideAsk> {
  return decideAsk(effects, { mode, judgePath });
}

describe('the host asks', () => {
  test('nothing about reading in the workspace', () => {
    expect(ask([{ kind: 'read', path: '/w/a.md' }])).toBeUndefined();
    expect(ask([])).toBeUndefined();
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

  test('about commands and connections', () => {
    expect(ask([executes('npm test')])).toMatchObject({ description: 'npm test' });
    expect(ask([connects('example.com')])).toMatchObject({
      title: 'Connect to example.com',
    });
  });

  test('one question for several effects, the protected one first', () => {
    expect(ask([edit('/w/a.md'), edit('/w/.git/config')])).toMatchObject({
      title: 'Write .git/config and 1 more',
      severity: 'critical',
      description: 'Git runs its hooks; new file, 1 line; Write a.md: new file, 1 line',
    });
  });

  test('in mode allow only about what is protected; in mode deny about the same as in ask', () => {
    expect(ask([edit('/w/a.md'), executes('x')], 'allow')).toBeUndefined();
    expect(ask([edit('/w/a.md'), edit('/w/.git/config')], 'allow')?.title).toBe('Write .git/config');
    expect(ask([edit('/w/a.md')], 'deny')?.title).toBe('Write a.md');
  });
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
      target: 'docs/a[1].md',
      label: 'write docs/a[1].md',
    });
  });

  test('exactly the one command or host', () => {
    expect(scope('exec', [executes('npm test')])?.label).toBe('exec npm test');
    expect(scope('fetch', [connects('example.com')])?.target).toBe('example.com');
  });

  test('a tool without a target with any parameters, and says so', () => {
    expect(scope('deploy', [])).toEqual({
      workspace: '/w',
      target: '*',
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
    expect(scope('exec', [executes('ls /**')])).toBeUndefined();
  });
});
