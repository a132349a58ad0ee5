import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../contracts/approval.ts';
import { groupQuestions } from './groupQuestions.ts';

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
