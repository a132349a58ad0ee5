import { expect, it } from 'vitest';
import type { WaitingMessage } from '../../sessions/createInbox.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import {
  firstShown,
  groupOf,
  planSessionRows,
  sessionRowId,
  sessionRowLook,
  type GroupRow,
  type SessionsSnapshot,
} from './sessionRows.ts';

const now = new Date(2026, 9, 26, 9, 30).getTime();
const at = (daysAgo: number, hours = 8): number => new Date(2026, 9, 26 - daysAgo, hours).getTime();

function summaryOf(id: string, more: Partial<SessionSummary> = {}): SessionSummary {
  return {
    id,
    key: `agent:main:vscode:${id}`,
    kind: 'chat',
    agentId: 'main',
    title: id,
    isNamed: false,
    createdAt: at(0),
    updatedAt: at(0),
    messageCount: 2,
    isInterrupted: false,
    ...more,
  };
}

function snapshotOf(
  summaries: readonly SessionSummary[],
  more: Partial<SessionsSnapshot> = {},
): SessionsSnapshot {
  return { summaries, running: new Set(), waiting: new Map(), pluginState: new Map(), now, ...more };
}

/** `group: id(child,child)`, one line a group. */
function drawn(snapshot: SessionsSnapshot): readonly string[] {
  return planSessionRows(snapshot).map(({ group, children }) => `${group}: ${children.map(draw).join(' ')}`);
}

function draw(row: ReturnType<typeof planSessionRows>[number]['children'][number]): string {
  if (row.kind === 'more') return `+${String(row.hidden)}`;
  const inner = row.children.map((child) =>
    child.kind === 'waiting'
      ? `${child.message.kind}${child.canMoveUp ? '^' : ''}`
      : child.kind === 'state'
        ? `${child.pluginId}.${child.namespace}`
        : draw(child),
  );
  return row.sessionId + (inner.length === 0 ? '' : `(${inner.join(',')})`);
}

it('sessions are grouped by calendar days, not by hours', () => {
  const ages = [at(0, 0), at(1, 23), at(1, 0), at(2, 23), at(7, 0), at(8, 23)];
  expect(ages.map((time) => groupOf(time, now))).toEqual([
    'today',
    'yesterday',
    'yesterday',
    'week',
    'week',
    'older',
  ]);
});

it('a running session stands on top, whenever it began; groups without a session are left out', () => {
  const summaries = [
    summaryOf('a'),
    summaryOf('b', { updatedAt: at(30) }),
    summaryOf('c', { updatedAt: at(1) }),
  ];
  expect(drawn(snapshotOf(summaries, { running: new Set(['b']) }))).toEqual([
    'running: b',
    'today: a',
    'yesterday: c',
  ]);
});

it('a session that another window runs stands on top, too, and can not be stopped here', () => {
  const elsewhere = summaryOf('a', { updatedAt: at(3), runsElsewhere: true });
  const snapshot = snapshotOf([summaryOf('b'), elsewhere]);
  expect(drawn(snapshot)).toEqual(['running: a', 'today: b']);
  expect(planSessionRows(snapshot)[0]?.children[0]).toMatchObject({ isRunning: false });
});

it('a started agent stands under its parent, which counts as running with it; a fork stands for itself', () => {
  const summaries = [
    summaryOf('child', { kind: 'subagent', parent: { sessionId: 'a' } }),
    summaryOf('grandchild', { kind: 'subagent', parent: { sessionId: 'child' } }),
    summaryOf('fork', { parent: { sessionId: 'a' } }),
    summaryOf('lost', { kind: 'subagent', parent: { sessionId: 'gone' } }),
    summaryOf('a', { updatedAt: at(3) }),
  ];
  expect(drawn(snapshotOf(summaries, { running: new Set(['grandchild']) }))).toEqual([
    'running: a(child(grandchild))',
    'today: fork lost',
  ]);
});

it('what waits stands under its session, and the first of its kind can not move up', () => {
  const message = (id: string, kind: WaitingMessage['kind']): WaitingMessage => ({
    id,
    kind,
    text: id,
    createdAt: now,
  });
  const waiting = new Map([
    ['a', [message('1', 'steer'), message('2', 'steer'), message('3', 'followUp'), message('4', 'followUp')]],
  ]);
  expect(drawn(snapshotOf([summaryOf('a')], { waiting }))).toEqual([
    'today: a(steer,steer^,followUp,followUp^)',
  ]);
});

it('a group shows its newest sessions and says how many more there are, until more are asked for', () => {
  const summaries = Array.from({ length: 2_000 }, (_, index) => summaryOf(`s${String(index)}`));
  const [first] = planSessionRows(snapshotOf(summaries));
  expect(first?.children).toHaveLength(firstShown + 1);
  expect(first?.children.at(-1)).toEqual({ kind: 'more', group: 'today', hidden: 2_000 - firstShown });
  expect(first?.count).toBe(2_000);
  const [all] = planSessionRows(snapshotOf(summaries), new Map([['today', 2_000]]));
  expect(all?.children.every(({ kind }) => kind === 'session')).toBe(true);
});

it('a session opens when the first agent that it starts, or the first message that waits for it, is there', () => {
  const child = summaryOf('child', { kind: 'subagent', parent: { sessionId: 'a' } });
  const running = { running: new Set(['a', 'child']) };
  const before = planSessionRows(snapshotOf([summaryOf('a'), summaryOf('b')], running));
  const after = planSessionRows(snapshotOf([summaryOf('a'), summaryOf('b'), child], running));
  const idsOf = ([group]: readonly GroupRow[]): readonly string[] => group?.children.map(sessionRowId) ?? [];
  // A new row, so that VS Code does not keep it folded.
  expect(idsOf(before)).toEqual(['session:a']);
  expect(idsOf(after)).toEqual(['session:a:open']);
  // What has ended stands folded among the others.
  expect(idsOf(planSessionRows(snapshotOf([summaryOf('a'), child])))).toEqual(['session:a']);
});

it('a session is drawn anew when its time reads otherwise or its turn starts, not with each second', () => {
  const look = (more: Partial<SessionSummary>, running: readonly string[] = []): string => {
    const [group] = planSessionRows(
      snapshotOf([summaryOf('a', { kind: 'subagent', ...more })], { running: new Set(running) }),
    );
    const [row] = group?.children ?? [];
    if (row === undefined) throw new Error('no row');
    return sessionRowLook(row, (time) => `${String(Math.round((now - time) / 60_000))} min`);
  };
  const minute = 60_000;
  expect(look({ updatedAt: now - minute })).toBe(look({ updatedAt: now - minute - 1 }));
  expect(look({ updatedAt: now - minute })).not.toBe(look({ updatedAt: now - 2 * minute }));
  expect(look({})).not.toBe(look({}, ['a']));
  expect(look({})).not.toBe(look({ title: 'other' }));
});

it('what plugins keep of a session stands under it, after the agents that it has started', () => {
  const child = summaryOf('child', { kind: 'subagent', parent: { sessionId: 'a' } });
  const pluginState = new Map([['a', { tide: { table: 1, moon: 2 } }]]);
  expect(drawn(snapshotOf([summaryOf('a'), child], { pluginState }))).toEqual([
    'today: a(child,tide.table,tide.moon)',
  ]);
});
