import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { WaitingMessage } from '../../sessions/createInbox.ts';
import type { WaitingTarget, CommandId } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { noIcons } from '../memory/hitItems.ts';
import { registerCommand, inBackground } from '../registerCommand.ts';
import type { ChatSurfaces } from '../sessions/resumeSession.ts';
import { waitingRows, type WaitingRow } from '../sessions/sessionRows.ts';
import { waitingText } from '../sessions/sessionTexts.ts';
import { createRefresher } from '../trees/createRefresher.ts';
import { discardWaiting } from './leftoverMessages.ts';
import { planMoveUp } from './planMoveUp.ts';
import { readWaiting, type SessionWaiting } from './readWaiting.ts';

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
  { conversations }: Pick<Runtime, 'conversations'>,
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
  { conversations: { inbox } }: Pick<Runtime, 'conversations'>,
  sessionId: string,
  { id }: WaitingMessage,
): Promise<boolean> {
  const before = planMoveUp(inbox.list(sessionId), id);
  return before === undefined || (await inbox.move(sessionId, id, before));
}

/** A change while a turn runs may come too late; that is no failure. */
function tellRead(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('The model has read this message meanwhile.'));
}

interface WaitingItem extends vscode.QuickPickItem {
  readonly row?: WaitingRow;
}

/** The list is redrawn no more often than this. Milliseconds. */
const refreshMs = 150;

/** All waiting messages of this window; Enter edits one, its buttons do the rest. The list follows what the model reads. */
function showWaiting(runtime: Pick<Runtime, 'conversations'>): void {
  const picker = vscode.window.createQuickPick<WaitingItem>();
  picker.title = vscode.l10n.t('Waiting messages');
  picker.placeholder = vscode.l10n.t('Enter edits a message; the model reads them in this order');
  const { conversations } = runtime;
  const refresher = createRefresher(refreshMs, async () => {
    try {
      picker.items = itemsOf(await readWaiting(conversations, await conversations.summaries()));
    } catch (error) {
      picker.items = [{ label: errorMessage(error) }];
    }
  });
  const refresh = (): void => refresher.request();
  const listening = conversations.onDidChange(refresh);
  picker.onDidAccept(() => {
    const row = picker.activeItems[0]?.row;
    if (row === undefined) return;
    picker.hide();
    inBackground(vscode.commands.executeCommand('pincer.waiting.edit', row));
  });
  picker.onDidTriggerItemButton(({ item, button }) => {
    const command = buttons.find((each) => each.tooltip === button.tooltip)?.command;
    if (command !== undefined && item.row !== undefined)
      inBackground(vscode.commands.executeCommand(command, item.row).then(refresh));
  });
  picker.onDidHide(() => {
    listening.dispose();
    refresher.dispose();
    picker.dispose();
  });
  refresh();
  picker.show();
}

interface WaitingButton extends vscode.QuickInputButton {
  readonly command: CommandId;
}

const button = (icon: string, tooltip: string, command: CommandId): WaitingButton => ({
  iconPath: new vscode.ThemeIcon(icon),
  tooltip,
  command,
});
const moveUpButton = button('arrow-up', vscode.l10n.t('Move Up'), 'pincer.waiting.moveUp');
const toSteerButton = button(
  'debug-step-over',
  vscode.l10n.t('Read at the Next Step'),
  'pincer.waiting.toSteer',
);
const toFollowUpButton = button(
  'watch',
  vscode.l10n.t('Read When the Turn Ends'),
  'pincer.waiting.toFollowUp',
);
const removeButton = button('trash', vscode.l10n.t('Remove'), 'pincer.waiting.remove');
const buttons = [moveUpButton, toSteerButton, toFollowUpButton, removeButton];

function itemsOf(sessions: readonly SessionWaiting[]): WaitingItem[] {
  const items = sessions.flatMap(({ title, sessionId, messages }): readonly WaitingItem[] => [
    ...(sessions.length > 1
      ? [{ label: noIcons(inertLine(title, 80)), kind: vscode.QuickPickItemKind.Separator }]
      : []),
    ...waitingRows(sessionId, messages).map(toItem),
  ]);
  return items.length > 0 ? items : [{ label: vscode.l10n.t('No message is waiting') }];
}

function toItem(row: WaitingRow): WaitingItem {
  return {
    row,
    label: noIcons(inertLine(row.message.text, 100)),
    description: waitingText(row.message),
    buttons: [
      ...(row.canMoveUp ? [moveUpButton] : []),
      row.message.kind === 'steer' ? toFollowUpButton : toSteerButton,
      removeButton,
    ],
  };
}
