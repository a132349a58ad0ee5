// Threat: a key or click that was meant for what stood there before starts a program. So a yes in a dialog that has just come is no yes.
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { clickGuardLeft } from '../approvals/clickGuard.ts';

/** Asks in a dialog with one button. A yes in its first half second has it stand there again. */
export async function askModal(question: string, detail: string, button: string): Promise<boolean> {
  const shownAt = performance.now();
  for (;;) {
    const choice = await vscode.window.showWarningMessage(question, { modal: true, detail }, button);
    if (choice !== button) return false;
    const early = clickGuardLeft(shownAt, performance.now());
    if (early === 0) return true;
    await delay(early);
  }
}
