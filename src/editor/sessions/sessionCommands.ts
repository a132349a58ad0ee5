import * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import type { SessionKey, SessionTarget } from '../commandTable.ts';
import type * as Actions from '../onDemand.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import type { ConversationDocuments } from './conversationDocuments.ts';
import type { LastUsedTracker } from './lastUsed.ts';
import type { ChatSurfaces } from './resumeSession.ts';
import { openSession, unknownSession } from './openSession.ts';
import { pickSession } from './pickSession.ts';
import type { SessionsTree } from './sessionsTree.ts';
import { titleText } from './sessionTexts.ts';
import { showSummary } from './summaryDocuments.ts';

type SessionAction = (runtime: Runtime, summary: SessionSummary, actions: typeof Actions) => Promise<unknown>;

interface SessionCommandsParts {
  readonly last: LastUsedTracker;
  readonly documents: Pick<ConversationDocuments, 'show'>;
  readonly chats: ChatSurfaces;
}

/** What can be done with sessions, from the view, by keys, from links and from the palette. */
export function registerSessionCommands(
  runtime: LazyRuntime,
  tree: SessionsTree,
  { last, documents, chats }: SessionCommandsParts,
): vscode.Disposable {
  const withSession =
    (question: string, run: SessionAction, preferLast = false) =>
    async (target: SessionTarget): Promise<void> => {
      const loaded = await runtime.get();
      const named = target?.sessionId ?? (preferLast ? last.get()?.sessionId : undefined);
      const summary = await summaryOf(loaded, named, question);
      if (summary !== undefined) await run(loaded, summary, await import('../onDemand.ts'));
    };
  const remove: SessionAction = async (loaded, summary, { deleteSession }) => {
    await deleteSession(loaded, summary);
    if ((await loaded.conversations.sessions.open(summary.id)) === undefined) last.forget(summary.id);
  };
  const openInPanel: SessionAction = (loaded, summary, { resumeInNewChat }) =>
    resumeInNewChat(loaded, summary);
  const openInView: SessionAction = (_, { id }) => chats.view.openSession(id);
  /** `keepsFocus`: a click on a row only shows it; in the panel it would begin a chat each time, and take the keys from the row. */
  const open =
    (keepsFocus = false): SessionAction =>
    (loaded, summary, actions) =>
      !keepsFocus && chats.surfaceOf(summary.id) === 'panel'
        ? actions.resumeInNewChat(loaded, summary)
        : chats.view.openSession(summary.id, keepsFocus);
  const show: SessionAction = (_, summary) => documents.show(summary.id, titleText(summary, 40));
  const compact: SessionAction = async (loaded, { id }, { compactFlow }) => {
    const session = await openSession(loaded, id);
    await compactFlow(loaded, session);
    const used = last.get();
    if (used?.sessionId === id) last.set({ ...used, use: loaded.conversations.use(session, used.model) });
  };
  return vscode.Disposable.from(
    registerCommand('pincer.sessions.resume', (target) =>
      withSession(vscode.l10n.t('Open a session'), open(target?.keepsFocus))(target),
    ),
    registerCommand(
      'pincer.sessions.openInView',
      withSession(vscode.l10n.t('Open a session in the Chat view'), openInView),
    ),
    registerCommand(
      'pincer.sessions.openInPanel',
      withSession(vscode.l10n.t('Open a session in the chat panel'), openInPanel),
    ),
    registerCommand(
      'pincer.sessions.rename',
      withSession(vscode.l10n.t('Rename a session'), (loaded, summary, { renameSession }) =>
        renameSession(loaded, summary),
      ),
    ),
    registerCommand(
      'pincer.sessions.fork',
      withSession(vscode.l10n.t('Fork a session'), (loaded, summary, { forkSession }) =>
        forkSession(loaded, summary),
      ),
    ),
    registerCommand(
      'pincer.sessions.forkTurn',
      withSession(vscode.l10n.t('Fork a session from a turn'), (loaded, summary, { forkSessionBeforeTurn }) =>
        forkSessionBeforeTurn(loaded, summary),
      ),
    ),
    registerCommand('pincer.sessions.show', withSession(vscode.l10n.t('Show a conversation'), show)),
    registerCommand(
      'pincer.sessions.export',
      withSession(vscode.l10n.t('Export a session'), (loaded, summary, { exportSession }) =>
        exportSession(loaded, summary),
      ),
    ),
    registerCommand(
      'pincer.sessions.repair',
      withSession(vscode.l10n.t('Repair a session'), (loaded, summary, { repairSession }) =>
        repairSession(loaded, summary),
      ),
    ),
    registerCommand('pincer.sessions.delete', withSession(vscode.l10n.t('Delete a session'), remove)),
    registerCommand(
      'pincer.sessions.compact',
      withSession(vscode.l10n.t('Compact a session'), compact, true),
    ),
    registerCommand(
      'pincer.sessions.copyId',
      withSession(vscode.l10n.t('Copy the id of a session'), (_, { id }) =>
        Promise.resolve(vscode.env.clipboard.writeText(id)),
      ),
    ),
    registerCommand('pincer.sessions.search', async () => {
      const { searchFlow } = await import('../onDemand.ts');
      searchFlow(await runtime.get());
    }),
    registerCommand('pincer.sessions.showMore', (target) => {
      if (target !== undefined) tree.showMore(target.group);
    }),
    registerCommand('pincer.sessions.showSummary', async (target) => {
      if (target !== undefined) await showSummary(target.sessionId, target.entryId);
    }),
    registerCommand('pincer.sessions.editState', async (target) => {
      if (target === undefined) return;
      const { editPluginState } = await import('../onDemand.ts');
      await editPluginState((await runtime.get()).conversations, target);
      tree.refresh();
    }),
    registerCommand('pincer.sessions.clearState', async (target) => {
      if (target === undefined) return;
      const { sessionId: id, sessionKey: key, pluginId, namespace } = target;
      const { pluginState } = (await runtime.get()).conversations;
      await pluginState.patchSession({ id, key }, { pluginId, namespace }, { unset: true });
      tree.refresh();
    }),
    registerCommand('pincer.sessions.key', (key) => pressKey(tree, key)),
  );
}

/** The session that is named, or the one that the user picks. @throws PincerError `session_unknown` */
async function summaryOf(
  { conversations }: Pick<Runtime, 'conversations'>,
  id: string | undefined,
  question: string,
): Promise<SessionSummary | undefined> {
  const summaries = await conversations.summaries();
  if (id === undefined) return await pickSession(summaries, question);
  const summary = summaries.find((each) => each.id === id);
  if (summary === undefined) throw unknownSession();
  return summary;
}

const keysOfSessions = {
  open: 'pincer.sessions.resume',
  rename: 'pincer.sessions.rename',
  delete: 'pincer.sessions.delete',
} as const;
const keysOfMessages = {
  open: 'pincer.waiting.edit',
  rename: 'pincer.waiting.edit',
  delete: 'pincer.waiting.remove',
} as const;

const keysOfState = {
  open: 'pincer.sessions.editState',
  rename: 'pincer.sessions.editState',
  delete: 'pincer.sessions.clearState',
} as const;

/** Enter, F2 and Delete are about the row that has the focus; which one that is, a keybinding can't say. */
async function pressKey(tree: SessionsTree, key: SessionKey): Promise<void> {
  const row = await tree.focused();
  if (row === undefined || key === undefined) return;
  if (row.kind === 'session') await vscode.commands.executeCommand(keysOfSessions[key], row);
  else if (row.kind === 'state') await vscode.commands.executeCommand(keysOfState[key], row);
  else if (row.kind === 'waiting') await vscode.commands.executeCommand(keysOfMessages[key], row);
  else if (key === 'open' && row.kind === 'more') tree.showMore(row.group);
  else if (key === 'open') await vscode.commands.executeCommand('list.toggleExpand');
}
