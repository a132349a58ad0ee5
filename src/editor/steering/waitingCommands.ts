import * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import type { WaitingMessage } from '../../sessions/createInbox.ts';
import type { WaitingTarget } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import type { ChatSurfaces } from '../sessions/resumeSession.ts';
import { discardWaiting } from './leftoverMessages.ts';
import { planMoveUp } from './planMoveUp.ts';
import { showWaiting } from './waitingList.ts';

type WaitingAction = (runtime: Runtime, sessionId: string, message: WaitingMessage) => Promise<unknown>;

/** What can be done with a message that waits to be read, from its row, from the list and from the palette. */
export function registerWaitingCommands(runtime: LazyRuntime, chats: ChatSurfaces): vscode.Disposable {
  const withMessage =
    (run: WaitingAction) =>
    async (target: WaitingTarget): Promise<void> => {
      const loaded = await runtime.get();
      if (target === undefined) {
        showWaiting(loaded);
        return;
      }
      const { inbox } = loaded.conversations;
      const waiting = await inbox.open(target.sessionId);
      const message = waiting.find(({ id }) => id === target.messageId);
      if (message === undefined) tellRead();
      else if ((await run(loaded, target.sessionId, message)) === false) tellRead();
    };
  const change =
    (kind: WaitingMessage['kind']): WaitingAction =>
    ({ conversations }, sessionId, { id }) =>
      conversations.inbox.edit(sessionId, id, { kind });
  return vscode.Disposable.from(
    registerCommand('pincer.waiting.show', async () => showWaiting(await runtime.get())),
    registerCommand('pincer.waiting.edit', withMessage(editWaiting)),
    registerCommand(
      'pincer.waiting.remove',
      withMessage(({ conversations }, sessionId, { id }) => conversations.inbox.remove(sessionId, id)),
    ),
    registerCommand('pincer.waiting.moveUp', withMessage(moveUp)),
    registerCommand('pincer.waiting.toSteer', withMessage(change('steer'))),
    registerCommand('pincer.waiting.toFollowUp', withMessage(change('followUp'))),
    registerCommand('pincer.waiting.send', async (target) => {
      const { sendWaiting } = await import('../onDemand.ts');
      if (target !== undefined) await sendWaiting(await runtime.get(), target.sessionId, chats);
    }),
    registerCommand('pincer.waiting.discard', async (target) => {
      if (target !== undefined) await discardWaiting(await runtime.get(), target.sessionId);
    }),
  );
}

/** Gives false where the model has read it meanwhile. */
async function editWaiting(
  { conversations }: Runtime,
  sessionId: string,
  message: WaitingMessage,
): Promise<boolean> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Edit the waiting message'),
    value: message.text,
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === '' ? vscode.l10n.t('To take it back, remove it instead.') : undefined,
  });
  // The box has one line: line breaks, and whose message it is, stay where nothing was changed.
  if (text === undefined || text === message.text.replace(/\r?\n/gu, '')) return true;
  return await conversations.inbox.edit(sessionId, message.id, { text: text.trim() });
}

async function moveUp(
  { conversations: { inbox } }: Runtime,
  sessionId: string,
  { id }: WaitingMessage,
): Promise<boolean> {
  const before = planMoveUp(inbox.list(sessionId), id);
  return before === undefined || (await inbox.move(sessionId, id, before));
}

/** Who edits while a turn runs may come too late; that is no failure. */
function tellRead(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('The model has read this message meanwhile.'));
}
