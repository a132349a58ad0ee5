import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { errorMessage } from '../../base/errors.ts';
import type { ConversationService } from '../../runtime/runtime.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { createRefresher } from '../trees/createRefresher.ts';
import { readWaiting } from '../steering/readWaiting.ts';
import { createRowTree } from '../trees/createRowTree.ts';
import { focusedRow } from '../trees/focusedRow.ts';
import { toSessionItem } from './sessionItem.ts';
import {
  firstShown,
  moreShown,
  planSessionRows,
  sessionRowId,
  sessionRowLook,
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
  /** Something changed that no session tells of. */
  refresh(): void;
}

/** How often the view looks at sessions that change, and how often “5 min. ago” is looked at. Milliseconds. */
const refreshMs = 300;
const clockMs = 30_000;

/** Sessions by when they were last used. Nothing is read until somebody looks. */
export function createSessionsTree(runtime: LazyRuntime): SessionsTree {
  const shown = new Map<SessionGroup, number>();
  let now = Date.now();
  const plan = async (): Promise<readonly GroupRow[]> => {
    const snapshot = await readSnapshot((await runtime.get()).conversations);
    now = snapshot.now;
    return planSessionRows(snapshot, shown);
  };
  const tree = createRowTree<SessionsRow>(
    'pincer.sessions',
    {
      keyOf: sessionRowId,
      childrenOf: (row) => ('children' in row ? row.children : []),
      lookOf: (row) => sessionRowLook(row, (time) => agoText(time, now)),
      plan: async () => {
        try {
          return await plan();
        } catch (error) {
          tell(error);
          return [];
        }
      },
      itemOf: (row) => toSessionItem(row, now),
    },
    { showCollapseAll: true },
  );
  const { view } = tree;
  const tell = (error: unknown): void => {
    view.message = vscode.l10n.t('The sessions could not be read: {0}', errorMessage(error));
  };

  const refresher = createRefresher(refreshMs, async () => {
    if (!view.visible) return;
    try {
      tree.show(await plan());
      view.message = '';
    } catch (error) {
      tell(error);
    }
  });
  const refresh = (): void => refresher.request();
  const clock = setInterval(refresh, clockMs);
  const parts = vscode.Disposable.from(
    tree,
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
    refresh,
    dispose: () => void parts.dispose(),
  };
}

/** Only of so many sessions, the newest: each costs a file. */
const stateLooked = 20;

async function readPluginState(
  { pluginState }: Pick<ConversationService, 'pluginState'>,
  summaries: readonly SessionSummary[],
): Promise<SessionsSnapshot['pluginState']> {
  const shown = summaries.slice(0, stateLooked);
  return new Map(await Promise.all(shown.map(async ({ id }) => [id, await pluginState.list(id)] as const)));
}

async function readSnapshot(conversations: ConversationService): Promise<SessionsSnapshot> {
  const summaries = await conversations.summaries();
  const waiting = await readWaiting(conversations, summaries);
  return {
    summaries,
    running: new Set(conversations.runningTurns().map(({ session }) => session.id)),
    pluginState: await readPluginState(conversations, summaries),
    waiting: new Map(waiting.map(({ sessionId, messages }) => [sessionId, messages])),
    now: Date.now(),
  };
}
