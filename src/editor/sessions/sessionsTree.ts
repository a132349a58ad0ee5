import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { ConversationService } from '../../runtime/runtime.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { readWaiting } from '../steering/readWaiting.ts';
import { createRowTree } from '../trees/createRowTree.ts';
import { focusedRow } from '../trees/focusedRow.ts';
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
  isOpen,
  type ShowMoreRow,
  type SessionRow,
  type StateRow,
  type WaitingRow,
} from './sessionRows.ts';
import {
  agoText,
  elsewhereText,
  groupText,
  summaryDetails,
  summaryText,
  titleText,
  waitingText,
} from './sessionTexts.ts';
import { inertLine } from '../../base/text.ts';
import type { CommandId } from '../commandTable.ts';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

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

/** `now` is in milliseconds since the epoch. */
function toSessionItem(row: SessionsRow, now: number): vscode.TreeItem {
  const item = itemOf(row, now);
  item.id = sessionRowId(row);
  return item;
}

function itemOf(row: SessionsRow, now: number): vscode.TreeItem {
  switch (row.kind) {
    case 'group':
      return groupItem(row);
    case 'session':
      return sessionItem(row, now);
    case 'waiting':
      return waitingItem(row);
    case 'state':
      return stateItem(row);
    case 'more':
      return moreItem(row);
  }
}

function groupItem({ group, count }: GroupRow): vscode.TreeItem {
  const item = new vscode.TreeItem(groupText(group), group === 'older' ? Collapsed : Expanded);
  item.description = count.toLocaleString(vscode.env.language);
  item.contextValue = 'group';
  item.accessibilityInformation = { label: vscode.l10n.t('{0}, sessions: {1}', groupText(group), count) };
  return item;
}

function sessionItem(row: SessionRow, now: number): vscode.TreeItem {
  const { summary, children } = row;
  // A longer one would leave no room for when it was used.
  const title = titleText(summary, 50);
  const item = new vscode.TreeItem(title, children.length === 0 ? None : isOpen(row) ? Expanded : Collapsed);
  item.description = summaryText(summary, now);
  item.tooltip = summaryDetails(summary);
  item.iconPath = iconOf(row);
  item.contextValue = contextOf(row);
  if (summary.problem === undefined) item.command = openCommand(summary);
  item.accessibilityInformation = { label: [title, stateText(row), item.description].join(', ') };
  return item;
}

/** What a click does: a conversation of an agent that was started is read, not gone on with. */
function openCommand({ id: sessionId, kind }: SessionSummary): vscode.Command {
  const command: CommandId = kind === 'subagent' ? 'pincer.sessions.show' : 'pincer.sessions.resume';
  return { command, title: vscode.l10n.t('Open'), arguments: [{ sessionId, keepsFocus: true }] };
}

/** What the row's menus go by: `session.chat.running`, `session.subagent.problem`. */
function contextOf({ summary, isRunning }: SessionRow): string {
  const damage = summary.isDamaged === true ? ['damaged'] : [];
  const problem = summary.problem === undefined ? [] : ['problem', ...damage];
  return ['session', summary.kind, ...(isRunning ? ['running'] : problem)].join('.');
}

function iconOf({ summary, isRunning }: SessionRow): vscode.ThemeIcon {
  if (isRunning) return new vscode.ThemeIcon('sync~spin');
  if (summary.problem !== undefined)
    return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  if (summary.runsElsewhere === true) return new vscode.ThemeIcon('sync');
  if (summary.isInterrupted)
    return new vscode.ThemeIcon('debug-pause', new vscode.ThemeColor('list.warningForeground'));
  if (summary.kind === 'subagent') return new vscode.ThemeIcon('type-hierarchy-sub');
  return new vscode.ThemeIcon(summary.parent === undefined ? 'comment-discussion' : 'repo-forked');
}

function stateText({ summary, isRunning }: SessionRow): string {
  if (isRunning) return vscode.l10n.t('running');
  if (summary.problem !== undefined) return vscode.l10n.t("can't be opened");
  if (summary.runsElsewhere === true) return elsewhereText();
  if (summary.isInterrupted) return vscode.l10n.t('interrupted');
  return summary.kind === 'subagent' ? vscode.l10n.t('started agent') : vscode.l10n.t('session');
}

function waitingItem({ message, canMoveUp }: WaitingRow): vscode.TreeItem {
  const text = inertLine(message.text, 200);
  const item = new vscode.TreeItem(text, None);
  item.description = waitingText(message);
  item.tooltip = `${message.text}\n\n${waitingText(message)}`;
  item.iconPath = new vscode.ThemeIcon(message.kind === 'steer' ? 'debug-step-over' : 'watch');
  item.contextValue = `waiting.${message.kind}${canMoveUp ? '.movable' : ''}`;
  item.accessibilityInformation = {
    label: vscode.l10n.t('Waiting message: {0}, {1}', text, waitingText(message)),
  };
  return item;
}

function stateItem({ pluginId, namespace, value }: StateRow): vscode.TreeItem {
  const name = inertLine(namespace, 60);
  const item = new vscode.TreeItem(name, None);
  const shown = inertLine(JSON.stringify(value), 80);
  item.description = `${shown} · ${inertLine(pluginId, 60)}`;
  item.tooltip = [
    vscode.l10n.t('Plugin {0} stores this for the session.', inertLine(pluginId, 60)),
    inertLine(JSON.stringify(value), 2_000),
  ].join('\n\n');
  item.iconPath = new vscode.ThemeIcon('bookmark');
  item.contextValue = 'state';
  item.accessibilityInformation = {
    label: vscode.l10n.t('Plugin {0} keeps {1}: {2}', pluginId, name, shown),
  };
  return item;
}

function moreItem({ group, hidden }: ShowMoreRow): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Show more ({0})', hidden), None);
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.contextValue = 'more';
  item.command = {
    command: 'pincer.sessions.showMore',
    title: vscode.l10n.t('Show More'),
    arguments: [{ group }],
  };
  return item;
}
