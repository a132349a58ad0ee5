import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import { showError } from '../registerCommand.ts';
import type { TurnMemory } from './turnMemory.ts';

/** Tells the user that a turn was cut off by a reload or a crash, and offers to go on with it. */
export async function offerResume(turns: TurnMemory): Promise<void> {
  try {
    const turn = await turns.interrupted();
    if (turn !== undefined) await ask(turn.prompt, turns);
  } catch (error) {
    showError(error);
  }
}

async function ask(prompt: string, turns: TurnMemory): Promise<void> {
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
