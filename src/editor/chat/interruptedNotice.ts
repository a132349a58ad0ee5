import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import { showError } from '../registerCommand.ts';
import type { OpenTurns } from './openTurns.ts';

/** Tells the user that a turn was cut off by a reload or a crash, and offers to go on with it. */
export function offerResume(turns: OpenTurns): void {
  const turn = turns.interrupted();
  if (turn !== undefined) void ask(turn.prompt, turns).catch(showError);
}

async function ask(prompt: string, turns: OpenTurns): Promise<void> {
  const resume = vscode.l10n.t('Resume');
  const dismiss = vscode.l10n.t('Dismiss');
  // Brackets would make links of what the user typed.
  const text = inertLine(prompt, 80).replace(/[[\]]/gu, '');
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t('Pincer was interrupted while working on “{0}”.', text),
    resume,
    dismiss,
  );
  if (choice === resume) await vscode.commands.executeCommand('pincer.turn.resume');
  if (choice === dismiss) turns.forget();
}
