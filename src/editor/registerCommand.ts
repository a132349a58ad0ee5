import * as vscode from 'vscode';
import { errorMessage, PincerError } from '../base/errors.ts';
import { planButtons } from './chat/planHint.ts';
import type { CommandArguments, CommandId } from './commandTable.ts';
import { notificationText } from './notificationText.ts';

/** Registers a command of the table; a failure becomes a message with its hint instead of an unhandled rejection. */
export function registerCommand<Id extends CommandId>(
  id: Id,
  run: (argument: CommandArguments[Id]) => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (argument: CommandArguments[Id]) => {
    try {
      await run(argument);
    } catch (error) {
      showError(error);
    }
  });
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
