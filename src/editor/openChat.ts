import * as vscode from 'vscode';

/** Opens the chat panel with `@pincer` in front of `text`. */
export async function openChat(text: string, send = false): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    query: `@pincer ${text}`,
    isPartialQuery: !send,
  });
}
