import * as vscode from 'vscode';
import type { ContextKey } from './contextKeys.ts';

/** Sets a context key of the table, for the `when` of package.json. */
export function setContextKey(key: ContextKey, value: boolean | string): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
