import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { McpServers } from '../../mcp/mcpServers.ts';
import { notificationText } from '../notificationText.ts';
import { inBackground } from '../registerCommand.ts';
import { createChangeNotifier } from './createChangeNotifier.ts';

/** Tells of each change of what a server defines, once in this window, with the way to look at it. */
export function tellChanges(mcp: Pick<McpServers, 'list' | 'onDidChange'>): Disposable {
  return mcp.onDidChange(createChangeNotifier(() => mcp.list(), tell, inBackground));
}

async function tell(name: string, tools: readonly string[]): Promise<void> {
  const review = vscode.l10n.t('Review');
  const text =
    tools.length === 1
      ? vscode.l10n.t(
          "The MCP server {0} changed the definition of {1}. Agents can't use it until you review it.",
          name,
          tools.join(),
        )
      : vscode.l10n.t(
          "The MCP server {0} changed the definitions of {1} tools. Agents can't use them until you review them.",
          name,
          tools.length,
        );
  const picked = await vscode.window.showWarningMessage(notificationText(text), review);
  if (picked === review) await vscode.commands.executeCommand('pincer.mcp.review', { serverName: name });
}
