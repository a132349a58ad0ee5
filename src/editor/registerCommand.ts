import * as vscode from 'vscode';
import { errorMessage, PincerError } from '../base/errors.ts';
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
  void vscode.window.showErrorMessage(notificationText(`${errorMessage(error)}${hint}`));
}
