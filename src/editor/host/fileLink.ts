import * as vscode from 'vscode';

/** A link that the chat opens at a line (1-based). */
export function fileLink(path: string, line?: number): string {
  const uri = vscode.Uri.file(path);
  return (line === undefined ? uri : uri.with({ fragment: `L${String(line)}` })).toString();
}
