import * as vscode from 'vscode';

/** Shows where a file lies: in the Explorer, or in the system's file manager where it is outside the open folders. */
export async function revealFile(path: string): Promise<void> {
  const uri = vscode.Uri.file(path);
  if (vscode.workspace.getWorkspaceFolder(uri) !== undefined) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  const commands = new Set(await vscode.commands.getCommands(true));
  // A window in a browser has no file manager.
  await (commands.has('revealFileInOS')
    ? vscode.commands.executeCommand('revealFileInOS', uri)
    : vscode.window.showTextDocument(uri));
}
