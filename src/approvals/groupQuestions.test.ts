import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../contracts/approval.ts';
import { groupQuestions, planTogether, sizeOf } from './groupQuestions.ts';

const question = (id: string, parts: Partial<ApprovalRequest> = {}): ApprovalRequest =>
  ({
    id,
    askers: ['host'],
    severity: 'warning',
    decisions: ['allow-once', 'deny'],
    kind: { does: 'edit', root: '/a' },
    ...parts,
  }) as unknown as ApprovalRequest;

describe('questions that may be allowed together', () => {
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

describe('one yes to several questions', () => {
  const newer = question('newer', { createdAt: 2 });
  const older = question('older', { createdAt: 1 });
  const partly = question('partly', { createdAt: 3 });
  const others = question('others', { createdAt: 4 });
  const pending = [newer, older, partly, others];
  const plan = (ids: readonly string[], tooSoon: readonly ApprovalRequest[] = []) =>
    planTogether(
      ids,
      pending,
      (request) => request !== partly,
      (request) => tooSoon.includes(request),
    );

  it('allows those that it names and that may join, oldest first', () => {
    expect(plan(['newer', 'older'])).toEqual({ allowed: [older, newer], left: [], answered: 0 });
  });

  it('leaves waiting what may not join, and counts what was answered meanwhile', () => {
    expect(plan(['newer', 'partly', 'gone'])).toEqual({ allowed: [newer], left: [partly], answered: 1 });
  });

  it('allows none where the click comes too soon for one of them', () => {
    expect(plan(['newer', 'older'], [newer])).toBeUndefined();
    expect(plan(['newer', 'older'], [partly, others])).toBeDefined();
  });
});

it('counts several questions and their sessions', () => {
  const asked = [
    question('1', { sessionId: 'a' }),
    question('2', { sessionId: 'b' }),
    question('3', { sessionId: 'b' }),
  ];
  expect(sizeOf(asked)).toEqual({ count: 3, sessions: 2 });
});
