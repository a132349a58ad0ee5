import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { setContextKey } from '../setContextKey.ts';
import { showError } from '../registerCommand.ts';
import type { ChatMemory, ChatPlace } from './chatMemory.ts';

/** How soon a turn that another host runs is looked at again; each look waits twice as long as the one before. Milliseconds. */
const firstLook = 1_000;
const lastLook = 60_000;

/** Tells the user that a turn was cut off by a reload or a crash, and offers to go on with it. */
export async function offerResume(chats: ChatMemory): Promise<void> {
  try {
    const turn = await findInterrupted(chats);
    if (turn === undefined) return;
    setContextKey('pincer.hasInterruptedTurn', true);
    const resume = vscode.l10n.t('Resume');
    const dismiss = vscode.l10n.t('Dismiss');
    const question = vscode.l10n.t('Pincer was interrupted in its last turn.');
    const choice = await vscode.window.showInformationMessage(question, resume, dismiss);
    if (choice === resume) await vscode.commands.executeCommand('pincer.turn.resume');
    if (choice === dismiss) {
      await chats.forget(turn.sessionId);
      setContextKey('pincer.hasInterruptedTurn', false);
    }
  } catch (error) {
    showError(error);
  }
}

/** The host that a reload ends may outlive the first look, and may still run the turn then. */
async function findInterrupted(chats: ChatMemory): Promise<ChatPlace | undefined> {
  for (let wait = firstLook; ; wait = Math.min(2 * wait, lastLook)) {
    const turn = await chats.interrupted();
    if (turn !== undefined || !(await chats.runsElsewhere())) return turn;
    await delay(wait, undefined, { ref: false });
  }
}
