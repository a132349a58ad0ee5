import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import { describeHook, formatMs, type GroupName, type RowEntry } from './pluginRows.ts';

const groupIcons: Readonly<Record<GroupName, string>> = {
  tools: 'tools',
  hooks: 'zap',
  commands: 'terminal',
  services: 'server-process',
  cli: 'console',
  other: 'circle-outline',
};

function groupLabel(group: GroupName): string {
  switch (group) {
    case 'tools':
      return vscode.l10n.t('Tools');
    case 'hooks':
      return vscode.l10n.t('Hooks');
    case 'commands':
      return vscode.l10n.t('Commands');
    case 'services':
      return vscode.l10n.t('Services');
    case 'cli':
      return vscode.l10n.t('Command Line');
    case 'other':
      return vscode.l10n.t('Other Registrations');
  }
}

/** `Tools 3`: what a plugin brought of one kind. */
export function groupItem(
  plugin: PluginRecord,
  group: GroupName,
  entries: readonly RowEntry[],
): vscode.TreeItem {
  const item = new vscode.TreeItem(groupLabel(group), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `${plugin.origin}:${plugin.source}:${group}`;
  item.description = String(entries.length);
  item.iconPath = new vscode.ThemeIcon(groupIcons[group]);
  return item;
}

/** One thing that a plugin brought; a hook says when it is asked. */
export function entryItem(group: GroupName, entry: RowEntry): vscode.TreeItem {
  const item = new vscode.TreeItem(inertLine(entry.name, 120));
  item.iconPath = new vscode.ThemeIcon(groupIcons[group]);
  if (entry.hook !== undefined) {
    item.description = describeHook(entry.hook);
    item.tooltip = hookTooltip(entry.hook);
  } else if (entry.kind !== undefined) {
    item.description = [
      inertLine(entry.kind, 40),
      ...(entry.isUnused === true ? [vscode.l10n.t('not used yet')] : []),
    ].join(' · ');
  }
  return item;
}

function hookTooltip(hook: NonNullable<RowEntry['hook']>): string {
  return [
    hook.of > 1
      ? vscode.l10n.t('Handler {0} of {1} for {2}, all plugins counted.', hook.position, hook.of, hook.hook)
      : vscode.l10n.t('The only handler for {0}.', hook.hook),
    vscode.l10n.t('Higher priorities run first; this one has {0}.', hook.priority),
    hook.timeoutMs === null
      ? vscode.l10n.t('It runs synchronously, so no time limit applies.')
      : vscode.l10n.t('It times out after {0}.', formatMs(hook.timeoutMs)),
  ].join('\n');
}
