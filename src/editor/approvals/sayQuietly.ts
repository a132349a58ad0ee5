import * as vscode from 'vscode';

/** How long such a word stays in the status bar. Milliseconds. */
const saidMs = 8_000;

/** A word about a click that changed nothing. */
export function sayQuietly(text: string): void {
  vscode.window.setStatusBarMessage(`$(info) ${text}`, saidMs);
}
