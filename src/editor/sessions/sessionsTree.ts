import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { ConversationService } from '../../runtime/runtime.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
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
      plan,
      itemOf: (row) => toSessionItem(row, now),
      reading: { failed: (why) => vscode.l10n.t('The sessions could not be read: {0}', why) },
    },
    { showCollapseAll: true },
  );
  const parts = vscode.Disposable.from(
    tree,
    runtime.whenLoaded(({ conversations }) => conversations.onDidChange(tree.refresh)),
  );
  return {
    focused: () => focusedRow(tree.view, sessionRowId),
    showMore(group) {
      shown.set(group, (shown.get(group) ?? firstShown) + moreShown);
      tree.refresh();
    },
    refresh: tree.refresh,
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
