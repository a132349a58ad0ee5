import * as vscode from 'vscode';
import { errorMessage, PincerError } from '../base/errors.ts';
import { lazily } from '../base/lazily.ts';
import { planButtons } from './chat/planHint.ts';
import type { CommandArguments, CommandId } from './commandTable.ts';
import { notificationText } from './notificationText.ts';
import { extensionId, rowCommandsOf, type Menus } from './rowCommands.ts';

/** How long the status bar says that a click has met nothing. Milliseconds. */
const lostMs = 8_000;

const rowCommands = lazily(() => {
  const manifest: unknown = vscode.extensions.getExtension(extensionId)?.packageJSON;
  return rowCommandsOf((manifest as { contributes: { menus: Menus } } | undefined)?.contributes.menus ?? {});
});

// Threat: while VS Code draws a view anew it knows none of its rows, and a row's button then calls its command without the row. Taken
// for a command of the palette, it would answer the question of the editor in front in place of the one that was clicked.
/** Registers a command of the table; a failure becomes a message with its hint instead of an unhandled rejection. */
export function registerCommand<Id extends CommandId>(
  id: Id,
  run: (argument: CommandArguments[Id]) => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(
    id,
    async (argument: CommandArguments[Id], ...selected: unknown[]) => {
      try {
        // A view passes two arguments: the row, and those that are selected with it.
        if (argument === undefined && selected.length > 0 && rowCommands().has(id)) {
          tellLostClick();
          return;
        }
        await run(argument);
      } catch (error) {
        showError(error);
      }
    },
  );
}

/** A click on a row that VS Code no longer knows. */
export function tellLostClick(): void {
  vscode.window.setStatusBarMessage(
    vscode.l10n.t('The view was refreshing when you clicked. Click again.'),
    lostMs,
  );
}

/** Lets work go on that nobody waits for; a failure is shown. */
export function inBackground(work: Thenable<unknown>): void {
  work.then(undefined, showError);
}

/** Tells the user what went wrong and what to do next. */
export function showError(error: unknown): void {
  const hint = error instanceof PincerError && error.hint !== undefined ? ` ${error.hint}` : '';
  tell(`${errorMessage(error)}${hint}`, vscode.window.showErrorMessage);
}

/** A notification with a button for each command and view that its text names. */
export function tell(
  text: string,
  show: typeof vscode.window.showInformationMessage = vscode.window.showInformationMessage,
): void {
  const buttons = planButtons(text);
  void show(notificationText(text), ...buttons.map(({ title }) => title)).then((picked) => {
    const button = buttons.find(({ title }) => title === picked);
    if (button !== undefined) inBackground(vscode.commands.executeCommand(button.command));
  });
}
