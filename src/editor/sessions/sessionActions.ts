import { basename } from 'node:path';
import * as vscode from 'vscode';
import { parseJson } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import type { StateTarget } from '../commandTable.ts';
import { openFork } from '../checkpoints/continueFork.ts';
import { notificationText } from '../notificationText.ts';
import { revealFile } from '../plugins/revealFile.ts';
import { forkWithName } from './forkName.ts';
import { openSession } from './openSession.ts';
import { messagesText, titleText } from './sessionTexts.ts';
import type { Session } from '../../sessions/session.ts';
import { noIcons } from '../memory/hitItems.ts';
import { planTurns, type ForkTurn } from './planTurns.ts';

/** Asks for a new name, and gives it. */
export async function renameSession(
  { conversations }: Pick<Runtime, 'conversations'>,
  summary: SessionSummary,
): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename session'),
    prompt: vscode.l10n.t('Its name in the list of sessions'),
    value: titleText(summary),
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('A session needs a name.') : undefined),
  });
  if (name !== undefined) await conversations.rename(summary.id, name.trim());
}

/** A copy of the whole conversation, which goes on in a new chat. */
export async function forkSession(
  runtime: Pick<Runtime, 'conversations'>,
  summary: SessionSummary,
): Promise<void> {
  await openFork(await forkWithName(runtime.conversations, summary.id));
}

/** A copy up to a message; the message waits in the new chat. */
export async function forkSessionBeforeTurn(
  runtime: Pick<Runtime, 'conversations'>,
  summary: SessionSummary,
): Promise<void> {
  const turn = await pickForkTurn(await openSession(runtime, summary.id));
  if (turn === undefined) return;
  const fork = await forkWithName(runtime.conversations, summary.id, { beforeRunId: turn.runId });
  await openFork(fork, turn.prompt);
}

/** The conversation as a document that the user saves where they want. */
export async function exportSession(
  { conversations }: Pick<Runtime, 'conversations'>,
  { id }: { readonly id: string },
): Promise<void> {
  const content = await conversations.exportMarkdown(id);
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Nothing is lost by it: the file as it was lies beside the new one. */
export async function repairSession(
  { conversations }: Pick<Runtime, 'conversations'>,
  summary: SessionSummary,
): Promise<void> {
  const copy = await conversations.repair(summary.id);
  const told = vscode.l10n.t(
    'The session can be opened again. The damaged file is kept beside it: {0}',
    basename(copy),
  );
  const show = vscode.l10n.t('Show File');
  const answer = await vscode.window.showInformationMessage(notificationText(told), show);
  if (answer === show) await revealFile(copy);
}

/** Asks, since there is no way back. */
export async function deleteSession(
  { conversations }: Pick<Runtime, 'conversations'>,
  summary: SessionSummary,
): Promise<void> {
  const confirm = vscode.l10n.t('Delete');
  const isRunning = conversations.running(summary.id) !== undefined;
  const detail = [
    summary.createdAt === 0
      ? vscode.l10n.t('It is deleted permanently.')
      : vscode.l10n.t(
          '{0} and any waiting messages are deleted permanently.',
          messagesText(summary.messageCount),
        ),
    ...(isRunning ? [vscode.l10n.t('Its turn runs now and is cancelled.')] : []),
    vscode.l10n.t("Files that it changed stay as they are. A chat that shows it can't go on with it."),
  ].join(' ');
  const question = notificationText(vscode.l10n.t('Delete the session “{0}”?', titleText(summary, 80)));
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, confirm);
  if (answer === confirm) await conversations.remove(summary.id);
}

/** Asks for another value of what a plugin keeps of a session, as JSON. The plugin sees it the next time that it looks. */
export async function editPluginState(
  { pluginState }: Runtime['conversations'],
  { sessionId: id, sessionKey: key, pluginId, namespace }: NonNullable<StateTarget>,
): Promise<void> {
  const before = (await pluginState.list(id))[pluginId]?.[namespace];
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Edit {0} of plugin {1}', inertLine(namespace, 60), inertLine(pluginId, 60)),
    prompt: vscode.l10n.t('The value, as JSON'),
    value: before === undefined ? '' : JSON.stringify(before),
    ignoreFocusOut: true,
    validateInput: (typed) =>
      parseJson(typed) === undefined
        ? vscode.l10n.t('This is not valid JSON. Put text in double quotes.')
        : undefined,
  });
  const value = text === undefined ? undefined : parseJson(text);
  if (value !== undefined) await pluginState.patchSession({ id, key }, { pluginId, namespace }, { value });
}

/** Lets the user choose the message that the fork does not hold any more; undefined where they choose none. */
async function pickForkTurn(session: Session): Promise<ForkTurn | undefined> {
  const turns = planTurns(session);
  if (turns.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing was asked in this session yet.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    turns.map((turn) => ({ turn, label: noIcons(turn.label), description: `${String(turn.number)}.` })),
    {
      title: vscode.l10n.t('Fork before which message?'),
      placeHolder: vscode.l10n.t('Newest first; the new chat has it in its input, to change and send again'),
    },
  );
  return picked?.turn;
}
