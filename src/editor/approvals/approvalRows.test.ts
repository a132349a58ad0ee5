import { describe, expect, it } from 'vitest';
import { executes } from '../../../test/builders/callContexts.ts';
import type { ApprovalRecord } from '../../approvals/approvalBroker.ts';
import type { ApprovalGrant, ApprovalRequest } from '../../contracts/approval.ts';
import { planApprovalRows, planFacts } from './approvalRows.ts';

const request = (id: string, parts: Partial<ApprovalRequest> = {}): ApprovalRequest =>
  ({
    id,
    toolName: 'exec',
    params: { command: 'ls', timeout: 5 },
    edits: [],
    effects: [executes('ls')],
    askers: ['host'],
    decisions: ['allow-once', 'deny'],
    grantLabel: 'exec ls',
    timeoutMs: 9,
    ...parts,
  }) as unknown as ApprovalRequest;
const record = (id: string): ApprovalRecord => ({ request: request(id) }) as unknown as ApprovalRecord;

describe('planApprovalRows', () => {
  it('puts what waits first, then what was interrupted, then what is remembered, then the newest decisions', () => {
    const rows = planApprovalRows({
      pending: [request('a'), request('b')],
      interrupted: [{ id: 'i' } as never],
      grants: [{ id: 'g' } as ApprovalGrant],
      history: [record('old'), record('new')],
    });
    expect(rows.map((row) => (row.kind === 'group' ? row.group : row.kind))).toEqual([
      'request',
      'request',
      'interrupted',
      'grants',
      'history',
    ]);
    const [history] = rows.slice(-1);
    expect(history).toMatchObject({ children: [{ approvalId: 'new' }, { approvalId: 'old' }] });
  });

  it('is empty where there is nothing, so that the view can say so', () => {
    expect(planApprovalRows({ pending: [], interrupted: [], grants: [], history: [] })).toEqual([]);
  });

  it('shows the last 50 decisions', () => {
    const history = Array.from({ length: 60 }, (_, at) => record(String(at)));
    const [group] = planApprovalRows({ pending: [], interrupted: [], grants: [], history });
    expect(group).toMatchObject({ kind: 'group', children: { length: 50 } });
  });
});

describe('planFacts', () => {
  const factsOf = (parts: Partial<ApprovalRequest> = {}): readonly unknown[] =>
    planFacts(request('a', parts)).map((row) => (row.kind === 'fact' ? row.fact : row));

  it('names target, askers, tool, every parameter, what an always covers, the time, and leads to the whole call', () => {
    expect(factsOf()).toEqual([
      { is: 'command', text: 'ls' },
      { is: 'folder', text: '/w' },
      { is: 'askers', askers: ['host'] },
      { is: 'tool', text: 'exec' },
      { is: 'param', name: 'command', text: 'ls' },
      { is: 'param', name: 'timeout', text: '5' },
      { is: 'always', covers: undefined },
      { is: 'time', request: request('a') },
      { is: 'call' },
    ]);
    expect(factsOf({ decisions: ['allow-always', 'deny'] })).toContainEqual({
      is: 'always',
      covers: 'exec ls',
    });
  });

  it('names the files of an edit and leaves its parameters to the diff', () => {
    const edits = [{ path: '/w/a.md', label: 'a.md', before: null, after: 'x' }];
    const facts = factsOf({ edits, params: { path: 'a.md', content: 'x' }, effects: [] });
    expect(facts).toContainEqual({ is: 'file', text: 'a.md' });
    expect(facts).not.toContainEqual(expect.objectContaining({ is: 'param' }));
  });
});
