import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { showError } from '../registerCommand.ts';
import type { ChatMemory, ChatPlace } from './chatMemory.ts';

/** When to look: the host that a reload ends may outlive the first look. Milliseconds from the look before. */
const looks = [0, 2_000, 8_000];

/** Tells the user that a turn was cut off by a reload or a crash, and offers to go on with it. */
export async function offerResume(chats: ChatMemory): Promise<void> {
  try {
    const turn = await findInterrupted(chats);
    if (turn === undefined) return;
    const resume = vscode.l10n.t('Resume');
    const dismiss = vscode.l10n.t('Dismiss');
    const question = vscode.l10n.t('Pincer was interrupted in its last turn.');
    const choice = await vscode.window.showInformationMessage(question, resume, dismiss);
    if (choice === resume) await vscode.commands.executeCommand('pincer.turn.resume');
    if (choice === dismiss) await chats.forget(turn.sessionId);
  } catch (error) {
    showError(error);
  }
}

async function findInterrupted(chats: ChatMemory): Promise<ChatPlace | undefined> {
  for (const wait of looks) {
    await delay(wait, undefined, { ref: false });
    const turn = await chats.interrupted();
    if (turn !== undefined) return turn;
  }
  return undefined;
}
