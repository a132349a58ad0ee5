import type { WaitingMessage } from '../../sessions/createInbox.ts';
import type { PluginValues } from '../../sessions/pluginSessionState.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';

/** What the Sessions view shows at one moment. */
export interface SessionsSnapshot {
  /** Newest first; those of started agents included. */
  readonly summaries: readonly SessionSummary[];
  /** Ids of the sessions whose turn runs now. */
  readonly running: ReadonlySet<string>;
  /** What waits to be read, by session. */
  readonly waiting: ReadonlyMap<string, readonly WaitingMessage[]>;
  /** What plugins keep of sessions, by session. */
  readonly pluginState: ReadonlyMap<string, PluginValues>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const sessionGroups = ['running', 'today', 'yesterday', 'week', 'older'] as const;
export type SessionGroup = (typeof sessionGroups)[number];

/** A row of the Sessions view. */
export type SessionsRow = GroupRow | SessionRow | WaitingRow | StateRow | ShowMoreRow;

export interface GroupRow {
  readonly kind: 'group';
  readonly group: SessionGroup;
  /** Sessions in it, those behind “Show more” too. */
  readonly count: number;
  readonly children: readonly (SessionRow | ShowMoreRow)[];
}

export interface SessionRow {
  readonly kind: 'session';
  readonly sessionId: string;
  readonly summary: SessionSummary;
  readonly isRunning: boolean;
  /** What waits to be read, then the agents that it started, then what plugins keep of it. */
  readonly children: readonly (WaitingRow | SessionRow | StateRow)[];
}

export interface WaitingRow {
  readonly kind: 'waiting';
  readonly sessionId: string;
  readonly messageId: string;
  readonly message: WaitingMessage;
  /** False for the first of its kind. */
  readonly canMoveUp: boolean;
}

/** A value that a plugin keeps of a session. */
export interface StateRow {
  readonly kind: 'state';
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly pluginId: string;
  readonly namespace: string;
  readonly value: unknown;
}

export interface ShowMoreRow {
  readonly kind: 'more';
  readonly group: SessionGroup;
  readonly hidden: number;
}

/**
 * Stays when the view is drawn anew, but for a session that opens: VS Code keeps a row folded that had nothing under it when it was
 * drawn first.
 */
export function sessionRowId(row: SessionsRow): string {
  switch (row.kind) {
    case 'group':
    case 'more':
      return `${row.kind}:${row.group}`;
    case 'session':
      return `session:${row.sessionId}${isOpen(row) ? ':open' : ''}`;
    case 'waiting':
      return `waiting:${row.sessionId}:${row.messageId}`;
    case 'state':
      return `state:${JSON.stringify([row.sessionId, row.pluginId, row.namespace])}`;
  }
}

/** Changes exactly when a row would look different. `ago` says how long ago a time was, in milliseconds since the epoch. Pure. */
export function sessionRowLook(row: SessionsRow, ago: (time: number) => string): string {
  switch (row.kind) {
    case 'group':
      return String(row.count);
    case 'session': {
      const { summary, isRunning, children } = row;
      return JSON.stringify([
        { ...summary, updatedAt: ago(summary.updatedAt) },
        isRunning,
        children.length > 0,
      ]);
    }
    case 'waiting':
      return JSON.stringify([row.message, row.canMoveUp]);
    case 'state':
      return JSON.stringify(row.value);
    case 'more':
      return String(row.hidden);
  }
}

/** Sessions that a group shows at first, and how many a click on “Show more” adds. */
export const firstShown = 50;
export const moreShown = 200;

/**
 * Sessions by when they were last used; a running one, or one whose started agent runs, stands on top. Groups without a session
 * are left out. `shown` says how many sessions a group shows, default `firstShown`. Pure.
 */
export function planSessionRows(
  snapshot: SessionsSnapshot,
  shown: ReadonlyMap<SessionGroup, number> = new Map(),
): readonly GroupRow[] {
  const started = startedBy(snapshot.summaries);
  const isStarted = new Set([...started.values()].flat());
  const grouped = new Map<SessionGroup, SessionSummary[]>(sessionGroups.map((group) => [group, []]));
  const isRunning = (summary: SessionSummary): boolean =>
    snapshot.running.has(summary.id) ||
    summary.runsElsewhere === true ||
    (started.get(summary.id) ?? []).some(isRunning);
  for (const summary of snapshot.summaries) {
    if (isStarted.has(summary)) continue;
    grouped.get(isRunning(summary) ? 'running' : groupOf(summary.updatedAt, snapshot.now))?.push(summary);
  }
  const toRow = (summary: SessionSummary): SessionRow => ({
    kind: 'session',
    sessionId: summary.id,
    summary,
    isRunning: snapshot.running.has(summary.id),
    children: [
      ...waitingRows(summary.id, snapshot.waiting.get(summary.id) ?? []),
      ...(started.get(summary.id) ?? []).map(toRow),
      ...stateRows(summary, snapshot.pluginState.get(summary.id) ?? {}),
    ],
  });
  return sessionGroups.flatMap((group): readonly GroupRow[] => {
    const all = grouped.get(group) ?? [];
    if (all.length === 0) return [];
    const visible = all.slice(0, shown.get(group) ?? firstShown);
    const hidden = all.length - visible.length;
    const more: readonly ShowMoreRow[] = hidden === 0 ? [] : [{ kind: 'more', group, hidden }];
    return [{ kind: 'group', group, count: all.length, children: [...visible.map(toRow), ...more] }];
  });
}

/** Whether a row shows what is under it: a turn runs, or something waits to be read. Pure. */
export function isOpen({ isRunning, children }: SessionRow): boolean {
  return children.length > 0 && (isRunning || children.some(({ kind }) => kind === 'waiting'));
}

/** By calendar days of this machine's time zone, both in milliseconds since the epoch. Pure. */
export function groupOf(time: number, now: number): Exclude<SessionGroup, 'running'> {
  if (time >= startOfDay(now, 0)) return 'today';
  if (time >= startOfDay(now, 1)) return 'yesterday';
  return time >= startOfDay(now, 7) ? 'week' : 'older';
}

/** The rows of a session's waiting messages: they are read in this order. Pure. */
export function waitingRows(sessionId: string, messages: readonly WaitingMessage[]): readonly WaitingRow[] {
  return messages.map((message) => ({
    kind: 'waiting',
    sessionId,
    messageId: message.id,
    message,
    canMoveUp: messages.find(({ kind }) => kind === message.kind) !== message,
  }));
}

function stateRows({ id, key }: SessionSummary, values: PluginValues): readonly StateRow[] {
  return Object.entries(values).flatMap(([pluginId, byNamespace]) =>
    Object.entries(byNamespace).map(([namespace, value]): StateRow => ({
      ...{ kind: 'state', sessionId: id, sessionKey: key },
      ...{ pluginId, namespace, value },
    })),
  );
}

/** The agents that each session has started, newest first, where both are in the list. */
function startedBy(summaries: readonly SessionSummary[]): ReadonlyMap<string, readonly SessionSummary[]> {
  const ids = new Set(summaries.map(({ id }) => id));
  const started = new Map<string, SessionSummary[]>();
  for (const summary of summaries) {
    const parent = summary.parent?.sessionId;
    const isChild = summary.kind === 'subagent' && parent !== summary.id;
    if (!isChild || parent === undefined || !ids.has(parent)) continue;
    started.set(parent, [...(started.get(parent) ?? []), summary]);
  }
  return started;
}

/** Midnight some days ago; not every day has 24 hours. */
function startOfDay(now: number, daysAgo: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo).getTime();
}
