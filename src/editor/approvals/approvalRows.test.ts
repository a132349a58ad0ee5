import { describe, expect, it } from 'vitest';
import { executes } from '../../../test/builders/callContexts.ts';
import type { ApprovalRecord } from '../../approvals/approvalBroker.ts';
import type { ApprovalGrant, ApprovalRequest } from '../../contracts/approval.ts';
import type { RunTrace } from '../../traces/runTrace.ts';
import {
  approvalRowId,
  approvalRowKey,
  approvalRowLook,
  askedFirst,
  planApprovalRows,
  planFacts,
  planWaitingKeys,
  type ApprovalRow,
} from './approvalRows.ts';

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
let clock = 0;
const record = (id: string): ApprovalRecord =>
  ({ request: request(id), resolvedAt: (clock += 1) }) as unknown as ApprovalRecord;

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

  it('puts what can be allowed together below what waits, so that no question moves', () => {
    const pending = [request('a'), request('b')];
    const questions = { kind: { does: 'command', root: '/w' }, requests: pending } as const;
    const rows = planApprovalRows({
      pending,
      together: [questions],
      interrupted: [],
      grants: [],
      history: [],
    });
    expect(rows.map((row) => row.kind)).toEqual(['request', 'request', 'together']);
    expect(rows[2]).toMatchObject({ approvalIds: ['a', 'b'] });
  });

  it('says of an always whether it holds for a folder of this window', () => {
    const grant = (id: string, workspace: string) => ({ id, workspace }) as ApprovalGrant;
    const [group] = planApprovalRows({
      pending: [],
      interrupted: [],
      grants: [grant('g1', '/w'), grant('g2', '/w/sub'), grant('g3', '')],
      history: [],
      folders: ['/other', '/w'],
    });
    expect(group).toMatchObject({ children: [{ isHere: true }, { isHere: false }, { isHere: false }] });
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
      { is: 'reason', text: 'not on the allow list' },
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

  it('has the parts of a command below it', () => {
    const command = 'ls && rm -rf dist';
    const effects = [executes(command, { parts: [{ text: 'ls' }, { text: 'rm -rf dist' }] })];
    expect(factsOf({ effects }).slice(1, 4)).toEqual([
      { is: 'command', text: command },
      { is: 'part', text: 'ls', number: 1 },
      { is: 'part', text: 'rm -rf dist', number: 2 },
    ]);
  });

  it('has what a command writes to in a row of its own only where a narrow view cuts the row of the command', () => {
    const short = { text: 'npm test > a', pieces: ['> a'] };
    const long = { text: 'npm test -- --coverage src/tools > ~/.bashrc', pieces: ['> ~/.bashrc'] };
    const effects = [executes(`${short.text} && ${long.text}`, { parts: [short, long] })];
    expect(factsOf({ effects }).slice(2, 6)).toEqual([
      { is: 'part', text: short.text, number: 1 },
      { is: 'part', text: long.text, number: 2 },
      { is: 'part', text: '> ~/.bashrc', number: 3 },
      { is: 'folder', text: '/w' },
    ]);
  });

  it('names the files of an edit and leaves its parameters to the diff', () => {
    const edits = [{ path: '/w/a.md', label: 'a.md', before: null, after: 'x' }];
    const facts = factsOf({ edits, params: { path: 'a.md', content: 'x' }, effects: [] });
    expect(facts).toContainEqual({ is: 'file', text: 'a.md' });
    expect(facts).not.toContainEqual(expect.objectContaining({ is: 'param' }));
  });
});

describe('the history', () => {
  const line = { kind: 'approval', toolName: 'write', title: 'Write a.md', askers: ['host'], by: 'chat' };
  const trace = {
    ...{
      version: 1,
      runId: 'r1',
      sessionKey: 'agent:main:s',
      startedAt: 1_000,
      status: 'completed',
      omitted: 0,
    },
    lines: [
      { ...line, toolCallId: 'c1', resolution: 'allow-once', isAllowed: true, at: 5, durationMs: 20 },
      {
        ...line,
        ...{ toolCallId: 'c2', resolution: 'deny', isAllowed: false, at: 50, durationMs: 1 },
        asked: 'npm test',
      },
      { kind: 'message', outcome: 'received', at: 0, durationMs: 0 },
    ],
  } as unknown as RunTrace;
  const none = { pending: [], interrupted: [], grants: [] };
  const shown = (history: readonly ApprovalRecord[]): readonly unknown[] =>
    planApprovalRows({ ...none, history, traces: [trace] }).flatMap((row) =>
      row.kind !== 'group'
        ? []
        : row.children.map((each) => (each.kind === 'earlier' ? each.answer.toolCallId : each.kind)),
    );

  it('has what earlier windows answered, by the traces of their runs, the newest first', () => {
    expect(shown([])).toEqual(['c2', 'c1']);
  });

  it('tells answers with one title apart by what was asked, also where an older trace does not say it', () => {
    const [group] = planApprovalRows({ ...none, history: [], traces: [trace] });
    expect(group).toMatchObject({ children: [{ answer: { asked: 'npm test' } }, { answer: {} }] });
  });

  it('tells nothing twice: what this window answered stands there whole', () => {
    const own = { request: { ...request('a'), runId: 'r1', toolCallId: 'c1' }, resolvedAt: 9_000 };
    expect(shown([own as unknown as ApprovalRecord])).toEqual(['record', 'c2']);
  });
});

it('gives each row an id of its own, also where a call does the same twice', () => {
  const twice = planFacts(request('a', { effects: [executes('ls'), executes('ls')] })).map(approvalRowId);
  expect(new Set(twice).size).toBe(twice.length);
  expect(planFacts(request('a', { effects: [executes('ls'), executes('ls')] })).map(approvalRowId)).toEqual(
    twice,
  );
});

it('offers to the palette and the keys what some question offers', () => {
  const keys = (pending: readonly ApprovalRequest[], inChat = ''): readonly string[] =>
    planWaitingKeys(pending, [], ({ id }) => id === inChat).flatMap(([key, isSet]) => (isSet ? [key] : []));
  const plain = request('a', { wider: [] });
  const wide = request('b', {
    decisions: ['allow-once', 'allow-always', 'deny'],
    wider: ['turn', 'session'],
  });
  expect(keys([])).toEqual([]);
  expect(keys([plain])).toEqual(['pincer.hasPendingApprovals']);
  expect(keys([plain], 'a')).toEqual(['pincer.hasPendingApprovals', 'pincer.hasShownQuestion']);
  expect(keys([plain, wide])).toEqual([
    'pincer.hasPendingApprovals',
    'pincer.offersAlways',
    'pincer.offersTurn',
    'pincer.offersSession',
  ]);
  const questions = { kind: { does: 'edit', root: '/w' }, requests: [plain, wide] } as const;
  expect(planWaitingKeys([plain], [questions], () => false)).toContainEqual(['pincer.offersTogether', true]);
});

it('a question is drawn anew once it was shown whole, and with each tick', () => {
  const row: ApprovalRow = { kind: 'request', approvalId: 'a', request: request('a') };
  const look = (isShown: boolean, ticks?: string): string =>
    approvalRowLook(row, { isShown: () => isShown, ticksOf: () => ticks });
  expect(new Set([look(false), look(true), look(true, '1 of 2'), look(true, '2 of 2')]).size).toBe(4);
});

it('a row for several questions is another row once it stands for others', () => {
  const of = (...ids: readonly string[]): ApprovalRow => ({
    kind: 'together',
    approvalIds: ids,
    questions: { kind: { does: 'command', root: '/w' }, requests: ids.map((id) => request(id)) },
  });
  expect(approvalRowKey(of('a', 'b'))).not.toBe(approvalRowKey(of('a', 'b', 'c')));
  expect(approvalRowId(of('a', 'b'))).toBe(approvalRowId(of('a', 'b', 'c')));
});

it('says first what is asked, then who asks, and cuts nothing that is not there', () => {
  const who = 'scheduled job "Nightly check"';
  expect(askedFirst({ title: `${who}: Write log.md`, who })).toEqual({ what: 'Write log.md', who });
  expect(askedFirst({ title: 'Write log.md' })).toEqual({ what: 'Write log.md', who: undefined });
  expect(askedFirst({ title: 'Write: it', who: 'Wri' })).toEqual({ what: 'Write: it', who: undefined });
});
