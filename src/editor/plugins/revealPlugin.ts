import * as vscode from 'vscode';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';

/** Shows where a plugin lies: in the Explorer, or in the system's file manager where it is outside the open folders. */
export async function revealPlugin(plugin: PluginRecord): Promise<void> {
  const uri = vscode.Uri.file(plugin.source);
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
