import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Conversations } from '../../runtime/conversations.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { namedRow } from '../namedRow.ts';
import { createRefresher } from '../memory/createRefresher.ts';
import { readWaiting } from '../steering/readWaiting.ts';
import { focusedRow } from '../trees/focusedRow.ts';
import { toSessionItem } from './sessionItem.ts';
import {
  firstShown,
  moreShown,
  planSessionRows,
  sessionRowId,
  type GroupRow,
  type SessionGroup,
  type SessionsRow,
  type SessionsSnapshot,
} from './sessionRows.ts';
import { agoText } from './sessionTexts.ts';

export interface SessionsTree extends Disposable {
  /** The row with the keyboard's focus. */
  focused(): Promise<SessionsRow | undefined>;
  showMore(group: SessionGroup): void;
}

/** How often the view looks at sessions that change, and how often “5 min. ago” is looked at. Milliseconds. */
const refreshMs = 300;
const clockMs = 30_000;

/** Sessions by when they were last used. Nothing is read until somebody looks. */
export function createSessionsTree(runtime: LazyRuntime): SessionsTree {
  const changed = new vscode.EventEmitter<void>();
  const shown = new Map<SessionGroup, number>();
  let drawn:
    { readonly rows: readonly GroupRow[]; readonly digest: string; readonly now: number } | undefined;

  const look = async (): Promise<NonNullable<typeof drawn>> => {
    const snapshot = await readSnapshot((await runtime.get()).conversations);
    const rows = planSessionRows(snapshot, shown);
    view.message = '';
    return { rows, digest: digestOf(rows, snapshot.now), now: snapshot.now };
  };
  const tell = (error: unknown): void => {
    view.message = vscode.l10n.t('The sessions could not be read: {0}', errorMessage(error));
  };
  const view = vscode.window.createTreeView<SessionsRow>('pincer.sessions', {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: (row) => namedRow(toSessionItem(row, drawn?.now ?? Date.now())),
      async getChildren(row) {
        if (row !== undefined) return 'children' in row ? [...row.children] : [];
        try {
          drawn ??= await look();
        } catch (error) {
          tell(error);
        }
        return [...(drawn?.rows ?? [])];
      },
    },
  });

  // A redrawn row swallows the click that is on its way to it: only what looks different is drawn again.
  const refresher = createRefresher(refreshMs, async () => {
    if (!view.visible) {
      drawn = undefined;
      return;
    }
    try {
      const next = await look();
      if (next.digest === drawn?.digest) return;
      drawn = next;
      changed.fire();
    } catch (error) {
      tell(error);
    }
  });
  const refresh = (): void => refresher.request();
  const clock = setInterval(refresh, clockMs);
  const parts = vscode.Disposable.from(
    view,
    changed,
    refresher,
    { dispose: () => clearInterval(clock) },
    view.onDidChangeVisibility(refresh),
    runtime.whenLoaded(({ conversations }) => conversations.onDidChange(refresh)),
  );
  return {
    focused: () => focusedRow(view, sessionRowId),
    showMore(group) {
      shown.set(group, (shown.get(group) ?? firstShown) + moreShown);
      refresh();
    },
    dispose: () => void parts.dispose(),
  };
}

async function readSnapshot(conversations: Conversations): Promise<SessionsSnapshot> {
  const summaries = await conversations.summaries();
  const waiting = await readWaiting(conversations, summaries);
  return {
    summaries,
    running: new Set(conversations.runningTurns().map(({ session }) => session.id)),
    waiting: new Map(waiting.map(({ sessionId, messages }) => [sessionId, messages])),
    now: Date.now(),
  };
}

/** Changes exactly when rows would look different. */
function digestOf(rows: readonly GroupRow[], now: number): string {
  return JSON.stringify(rows, (key, value: unknown) =>
    key === 'updatedAt' && typeof value === 'number' ? agoText(value, now) : value,
  );
}
