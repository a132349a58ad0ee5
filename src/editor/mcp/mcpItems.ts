import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import { describeServerOrigin } from '../../mcp/describeInspection.ts';
import type { ServerState, ServerView } from '../../mcp/mcpServers.ts';
import { needsReview, serverContext, serverSummary, type McpRow } from './mcpRows.ts';

const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
const warning = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));

/** A row about MCP servers. What comes from a server stands on one line, and is never markdown. */
export function mcpItem(row: McpRow): vscode.TreeItem {
  switch (row.kind) {
    case 'mcp servers':
      return groupItem(row.servers);
    case 'mcp server':
      return serverItem(row.server);
    case 'mcp origin':
      return originItem(row.server);
    case 'mcp problem':
      return plainItem(inertLine(row.problem, 300), warning);
    case 'mcp tool': {
      const { name, toolName, description, withdrawn } = row.tool;
      const item = plainItem(
        inertLine(name, 80),
        withdrawn === undefined ? new vscode.ThemeIcon('tools') : warning,
      );
      item.description =
        withdrawn === undefined ? inertLine(description, 160) : vscode.l10n.t('withdrawn: {0}', withdrawn);
      item.tooltip = `${toolName}\n${description}`;
      return item;
    }
    case 'mcp new tool': {
      const item = plainItem(inertLine(row.name, 80), new vscode.ThemeIcon('sparkle'));
      item.description = vscode.l10n.t('new: not offered to agents yet');
      return item;
    }
    case 'mcp left tool': {
      const item = plainItem(inertLine(row.name, 80), new vscode.ThemeIcon('circle-slash'));
      item.description = vscode.l10n.t('left out by you');
      return item;
    }
  }
}

function plainItem(label: string, icon: vscode.ThemeIcon): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.iconPath = icon;
  item.tooltip = label;
  return item;
}

function groupItem(servers: readonly ServerView[]): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('MCP Servers'), Expanded);
  item.id = 'mcp servers';
  const open = servers.filter(needsReview).length;
  item.description = [
    String(servers.length),
    ...(open === 0 ? [] : [vscode.l10n.t('{0} to review', open)]),
  ].join(' · ');
  item.contextValue = 'mcpServers';
  item.tooltip = vscode.l10n.t(
    'Programs and addresses that bring tools. None starts before you agreed to it.',
  );
  return item;
}

function serverItem(server: ServerView): vscode.TreeItem {
  const item = new vscode.TreeItem(inertLine(server.name, 40), Collapsed);
  item.id = `mcp:${server.name}`;
  item.description = serverSummary(server, stateText(server.state));
  item.iconPath = iconOf(server);
  item.contextValue = serverContext(server);
  item.tooltip = [
    server.target,
    ...(server.state === 'stopped' ? [vscode.l10n.t('It starts again with the next call.')] : []),
    ...(server.problem === undefined ? [] : [server.problem]),
  ].join('\n');
  return item;
}

function originItem({ name, origin, target }: ServerView): vscode.TreeItem {
  const item = plainItem(
    vscode.l10n.t('Named in {0}', describeServerOrigin(origin)),
    new vscode.ThemeIcon('go-to-file'),
  );
  item.description = target;
  if (origin.kind !== 'plugin')
    item.command = {
      command: 'pincer.mcp.open',
      title: vscode.l10n.t('Open'),
      arguments: [{ serverName: name }],
    };
  return item;
}

function iconOf(server: ServerView): vscode.ThemeIcon {
  switch (server.state) {
    case 'new':
    case 'changed':
    case 'unlisted':
      return new vscode.ThemeIcon('shield');
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'off':
      return new vscode.ThemeIcon('circle-slash');
    case 'starting':
      return new vscode.ThemeIcon('loading~spin');
    case 'ready':
    case 'stopped':
    case 'running':
      if (server.tools.some(({ withdrawn }) => withdrawn !== undefined))
        return new vscode.ThemeIcon('shield', new vscode.ThemeColor('list.warningForeground'));
      if (needsReview(server)) return new vscode.ThemeIcon('shield');
      return new vscode.ThemeIcon(
        'server',
        server.state === 'running' ? new vscode.ThemeColor('charts.green') : undefined,
      );
  }
}

function stateText(state: ServerState): string {
  switch (state) {
    case 'off':
      return vscode.l10n.t('off');
    case 'new':
      return vscode.l10n.t('not agreed to');
    case 'changed':
      return vscode.l10n.t('changed: not started');
    case 'unlisted':
      return vscode.l10n.t('tools not agreed to');
    case 'ready':
      return vscode.l10n.t('ready');
    case 'stopped':
      return vscode.l10n.t('stopped');
    case 'starting':
      return vscode.l10n.t('starting…');
    case 'running':
      return vscode.l10n.t('running');
    case 'failed':
      return vscode.l10n.t('failed');
  }
}
