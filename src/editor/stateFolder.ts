import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';

/** Absolute paths of the window's folders on disk. */
export function currentFolders(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((each) => each.uri.scheme === 'file')
    .map((each) => each.uri.fsPath);
}

/** `storageUri` changes its name when a tab closes abruptly, so state goes by a hash of the first folder. */
export function stateFolder(context: vscode.ExtensionContext): string {
  const first = currentFolders()[0] ?? 'no folder';
  return join(context.globalStorageUri.fsPath, createHash('sha256').update(first).digest('hex').slice(0, 16));
}
