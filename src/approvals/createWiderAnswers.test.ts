import { describe, expect, it } from 'vitest';
import { connects, executes } from '../../test/builders/callContexts.ts';
import type { ApprovalRequest, CallKind } from '../contracts/approval.ts';
import type { ToolEffect } from '../contracts/tool.ts';
import { groupQuestions, kindOfCall } from './createWiderAnswers.ts';
import type { JudgePath } from './decideAsk.ts';

/** Two folders, `/a` and `/b`; all else is outside. */
const judgePath: JudgePath = (path) => {
  const [, workspace] = /^(\/[ab])(?:\/|$)/u.exec(path) ?? [];
  return { workspace, relative: path, label: path };
};
const edits = (path: string): ToolEffect => ({
  kind: 'edit',
  edit: { path, label: path, before: null, after: 'x' },
});
const reads = (path: string): ToolEffect => ({ kind: 'read', path });

describe('what a call does, and where', () => {
  it.each<[string, readonly ToolEffect[], CallKind | undefined]>([
    ['edits of one folder', [edits('/a/1'), edits('/a/2')], { does: 'edit', root: '/a' }],
    ['edits of two folders', [edits('/a/1'), edits('/b/2')], undefined],
    ['an edit outside of all', [edits('/etc/x')], undefined],
    ['a command', [executes('ls', { workdir: '/b/sub' })], { does: 'command', root: '/b' }],
    [
      'a command that reads',
      [executes('cat x', { workdir: '/b' }), reads('/a/x')],
      { does: 'command', root: '/b' },
    ],
    ['a command that changes files, too', [executes('ls', { workdir: '/a' }), edits('/a/1')], undefined],
    ['a connection', [connects('example.org')], { does: 'connection', root: '' }],
    ['a message', [{ kind: 'message', sessionId: 's', to: 'x', text: 'y' }], undefined],
    ['reading', [reads('/a/x')], undefined],
    ['nothing', [], undefined],
  ])('%s', (_name, effects, expected) => {
    expect(kindOfCall(effects, judgePath)).toEqual(expected);
  });
});

describe('questions that may be allowed together', () => {
  const question = (id: string, parts: Partial<ApprovalRequest> = {}): ApprovalRequest =>
    ({
      id,
      askers: ['host'],
      severity: 'warning',
      decisions: ['allow-once', 'deny'],
      kind: { does: 'edit', root: '/a' },
      ...parts,
    }) as unknown as ApprovalRequest;
  const grouped = (...pending: readonly ApprovalRequest[]): readonly unknown[] =>
    groupQuestions(pending, ({ id }) => id !== 'unseen').map(({ kind, requests }) => [
      `${kind.does} ${kind.root}`,
      ...requests.map(({ id }) => id),
    ]);

  it('are of one kind and folder, from whatever session', () => {
    expect(
      grouped(
        question('1'),
        question('2', { kind: { does: 'command', root: '/a' } }),
        question('3', { sessionId: 'other' }),
        question('4', { kind: { does: 'edit', root: '/b' } }),
        question('5', { kind: { does: 'command', root: '/a' } }),
      ),
    ).toEqual([
      ['edit /a', '1', '3'],
      ['command /a', '2', '5'],
    ]);
  });

  it.each<[string, ApprovalRequest]>([
    ['asked by a plugin, alone or too', question('x', { askers: ['host', 'guard'] })],
    ['about a protected place', question('x', { severity: 'critical' })],
    ['not shown whole', question('unseen')],
    ['of no kind', (({ kind: _kind, ...rest }) => rest)(question('x'))],
    ['for a tenant', question('x', { tenantId: 't' })],
    ['that no once answers', question('x', { decisions: ['deny'] })],
  ])('are none %s', (_name, other) => {
    expect(grouped(question('1'), other)).toEqual([]);
    expect(grouped(question('1'), other, question('2'))).toEqual([['edit /a', '1', '2']]);
  });
});
