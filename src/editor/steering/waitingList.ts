import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { CommandId } from '../commandTable.ts';
import { createRefresher } from '../trees/createRefresher.ts';
import { noIcons } from '../memory/hitItems.ts';
import { inBackground } from '../registerCommand.ts';
import { waitingRows, type WaitingRow } from '../sessions/sessionRows.ts';
import { waitingText } from '../sessions/sessionTexts.ts';
import { readWaiting, type SessionWaiting } from './readWaiting.ts';

interface WaitingButton extends vscode.QuickInputButton {
  readonly command: CommandId;
}

interface WaitingItem extends vscode.QuickPickItem {
  readonly row?: WaitingRow;
}

/** How often the list follows what changes. Milliseconds. */
const refreshMs = 150;

/** All waiting messages of this window; Enter edits one, its buttons do the rest. The list follows what the model reads. */
export function showWaiting(runtime: Runtime): void {
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

const button = (icon: string, tooltip: string, command: CommandId): WaitingButton => ({
  iconPath: new vscode.ThemeIcon(icon),
  tooltip,
  command,
});
const moveUp = button('arrow-up', vscode.l10n.t('Move Up'), 'pincer.waiting.moveUp');
const toSteer = button('debug-step-over', vscode.l10n.t('Read at the Next Step'), 'pincer.waiting.toSteer');
const toFollowUp = button('watch', vscode.l10n.t('Read When the Turn Ends'), 'pincer.waiting.toFollowUp');
const remove = button('trash', vscode.l10n.t('Remove'), 'pincer.waiting.remove');
const buttons = [moveUp, toSteer, toFollowUp, remove];

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
      ...(row.canMoveUp ? [moveUp] : []),
      row.message.kind === 'steer' ? toFollowUp : toSteer,
      remove,
    ],
  };
}
