import * as vscode from 'vscode';

/** Calls `note` with every file of the pattern that changes, comes or goes. */
export function watchFiles(pattern: vscode.GlobPattern, note: (uri: vscode.Uri) => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(note),
    watcher.onDidCreate(note),
    watcher.onDidDelete(note),
  );
}
