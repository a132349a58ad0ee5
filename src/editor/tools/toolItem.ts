import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import { displayLines } from '../../tools/displayLines.ts';
import { describeOwner } from '../../tools/describeOwner.ts';
import { describeVerdict } from '../../tools/policy/describeVerdict.ts';
import type { ToolExplanation } from '../../tools/policy/explainTool.ts';
import { problemItem } from '../plugins/problemItem.ts';
import type { ToolRow } from './toolRows.ts';

/** A line without hidden characters: names and descriptions come from plugins. */
const inert = (text: string): string => inertLine(text, 300);

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

export function toToolItem(row: ToolRow): vscode.TreeItem {
  switch (row.kind) {
    case 'problem':
      return problemItem(row.diagnostic);
    case 'owner':
      return ownerItem(row.pluginId, row.tools.length);
    case 'hidden':
      return hiddenItem(row.tools.length);
    case 'tool':
      return toolItem(row.explained);
  }
}

function ownerItem(pluginId: string | undefined, count: number): vscode.TreeItem {
  const item = new vscode.TreeItem(pluginId === undefined ? 'Pincer' : inert(pluginId), Expanded);
  item.id = `owner:${pluginId ?? ''}`;
  item.description = String(count);
  return item;
}

function hiddenItem(count: number): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Hidden'), Collapsed);
  item.id = 'hidden';
  item.description = String(count);
  item.tooltip = vscode.l10n.t('Tools that an agent does not get now, each with the reason.');
  return item;
}

function toolItem({ tool, hidden, layers }: ToolExplanation): vscode.TreeItem {
  const item = new vscode.TreeItem(inert(tool.name), None);
  const about = hidden === undefined ? inert(tool.label) : inert(hidden.layer ?? hidden.reason);
  item.description = about;
  item.tooltip = [
    `${inert(tool.name)} · ${inert(describeOwner(tool.owner))}`,
    hidden === undefined
      ? inert(tool.display?.description ?? tool.description)
      : vscode.l10n.t('Hidden: {0}.', inert(hidden.reason)),
    ...displayLines(tool).map(inert),
    ...layers.map((layer) => inert(`${layer.label}: ${describeVerdict(layer)}`)),
  ].join('\n');
  item.iconPath = iconOf(hidden?.code);
  item.contextValue = hidden === undefined ? 'tool' : 'tool.hidden';
  item.accessibilityInformation = {
    label:
      hidden === undefined
        ? vscode.l10n.t('Tool {0}: {1}', inert(tool.name), about)
        : vscode.l10n.t('Hidden tool {0}: {1}', inert(tool.name), inert(hidden.reason)),
  };
  return item;
}

function iconOf(code: string | undefined): vscode.ThemeIcon {
  if (code === undefined) return new vscode.ThemeIcon('tools');
  const isBroken = code === 'tool_malformed' || code === 'tool_conflict';
  return isBroken
    ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
    : new vscode.ThemeIcon('eye-closed');
}
