import * as vscode from 'vscode';

/** The command that shows a file, at a line and column (1-based) where they are known. */
export function openAtLine(path: string, line: number | undefined, column = 1): vscode.Command {
  const start = new vscode.Position(Math.max(0, (line ?? 1) - 1), Math.max(0, column - 1));
  return {
    command: 'vscode.open',
    title: vscode.l10n.t('Open file'),
    arguments: [vscode.Uri.file(path), { selection: new vscode.Range(start, start) }],
  };
}

/** Shows a file, with the cursor at a line (1-based) where one is known. */
export async function openFileAt(path: string, line: number | undefined): Promise<void> {
  const start = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  await vscode.window.showTextDocument(vscode.Uri.file(path), { selection: new vscode.Range(start, start) });
}
