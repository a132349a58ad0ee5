import * as vscode from 'vscode';

/**
 * Opens a virtual markdown document as people read it, in a tab of its own: the preview that follows the active editor would show
 * another document as soon as somebody opens one. A second call for the same document goes back to its tab. With `preview` the tab is
 * that of the last such document, unless the user keeps it.
 */
export async function showRendered(uri: vscode.Uri, { preview = false } = {}): Promise<void> {
  try {
    await vscode.commands.executeCommand('vscode.openWith', uri, 'vscode.markdown.preview.editor', {
      preview,
    });
  } catch {
    // The extension that renders markdown may be switched off.
    await vscode.window.showTextDocument(uri, { preview: true });
  }
}
