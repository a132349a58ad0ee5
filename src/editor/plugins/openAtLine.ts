import * as vscode from 'vscode';

/** The command that shows a file, at a line (1-based) where one is known. */
export function openAtLine(path: string, line: number | undefined): vscode.Command {
  const start = Math.max(0, (line ?? 1) - 1);
  return {
    command: 'vscode.open',
    title: vscode.l10n.t('Open file'),
    arguments: [vscode.Uri.file(path), { selection: new vscode.Range(start, 0, start, 0) }],
  };
}
