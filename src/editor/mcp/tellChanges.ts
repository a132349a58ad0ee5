import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { McpServers } from '../../mcp/mcpServers.ts';
import { notificationText } from '../notificationText.ts';
import { inBackground } from '../registerCommand.ts';
import { createChangeTeller } from './createChangeTeller.ts';

/** Tells of each change of what a server defines, once in this window, with the way to look at it. */
export function tellChanges(mcp: Pick<McpServers, 'list' | 'onDidChange'>): Disposable {
  return mcp.onDidChange(createChangeTeller(() => mcp.list(), tell, inBackground));
}

async function tell(name: string, tools: readonly string[]): Promise<void> {
  const review = vscode.l10n.t('Review');
  const text =
    tools.length === 1
      ? vscode.l10n.t(
          "The MCP server {0} defines {1} otherwise than you agreed to. Agents don't have it until you looked.",
          name,
          tools.join(),
        )
      : vscode.l10n.t(
          "The MCP server {0} defines {1} tools otherwise than you agreed to. Agents don't have them until you looked.",
          name,
          tools.length,
        );
  const picked = await vscode.window.showWarningMessage(notificationText(text), review);
  if (picked === review) await vscode.commands.executeCommand('pincer.mcp.review', { serverName: name });
}
