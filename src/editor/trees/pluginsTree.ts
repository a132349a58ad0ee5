import { basename } from 'node:path';
import * as vscode from 'vscode';
import { describeDiagnostic } from '../../base/describeDiagnostic.ts';
import { escapeMarkdown } from '../../base/text.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';

/** A plugin, one of its groups (tools, hooks …), an entry of a group, or a problem. */
export type PluginRow =
  | { readonly kind: 'plugin'; readonly pluginId: string; readonly plugin: PluginRecord }
  | {
      readonly kind: 'group';
      readonly label: string;
      readonly icon: string;
      readonly names: readonly string[];
    }
  | { readonly kind: 'name'; readonly label: string; readonly icon: string }
  | { readonly kind: 'problem'; readonly diagnostic: Diagnostic };

/** The plugin registry: state, reason, what each plugin brought, and what is wrong. */
export function registerPluginsTree(runtime: LazyRuntime): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const view = vscode.window.createTreeView<PluginRow>('pincer.plugins', {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: toItem,
      async getChildren(row) {
        if (row !== undefined) return [...childrenOf(row)];
        const loaded = await runtime.get();
        const own = new Set(loaded.plugins.plugins().flatMap((plugin) => plugin.diagnostics));
        return [
          ...loaded.plugins
            .plugins()
            .map((plugin): PluginRow => ({ kind: 'plugin', pluginId: plugin.id, plugin })),
          ...loaded
            .diagnostics()
            .filter((each) => !own.has(each))
            .map((diagnostic): PluginRow => ({ kind: 'problem', diagnostic })),
        ];
      },
    },
  });
  const attached = runtime.whenLoaded((loaded) => {
    const refresh = (): void => {
      const problems = loaded.diagnostics().filter((each) => each.level !== 'info').length;
      view.badge =
        problems === 0 ? undefined : { value: problems, tooltip: vscode.l10n.t('Problems: {0}', problems) };
      changed.fire();
    };
    refresh();
    return loaded.onDidChange(refresh);
  });
  return vscode.Disposable.from(view, changed, attached);
}

function childrenOf(row: PluginRow): readonly PluginRow[] {
  if (row.kind === 'group') return row.names.map((label) => ({ kind: 'name', label, icon: row.icon }));
  if (row.kind !== 'plugin') return [];
  const { plugin } = row;
  const groups: readonly Extract<PluginRow, { kind: 'group' }>[] = [
    { kind: 'group', label: vscode.l10n.t('Tools'), icon: 'tools', names: plugin.toolNames },
    { kind: 'group', label: vscode.l10n.t('Hooks'), icon: 'zap', names: plugin.hookNames },
    {
      kind: 'group',
      label: vscode.l10n.t('Commands'),
      icon: 'terminal',
      names: plugin.commands.map((name) => `/${name}`),
    },
    { kind: 'group', label: vscode.l10n.t('Services'), icon: 'server-process', names: plugin.services },
    {
      kind: 'group',
      label: vscode.l10n.t('Registered, not used yet'),
      icon: 'circle-outline',
      names: plugin.unused,
    },
  ];
  return [
    ...plugin.diagnostics.map((diagnostic): PluginRow => ({ kind: 'problem', diagnostic })),
    ...groups.filter((group) => group.names.length > 0),
  ];
}

function toItem(row: PluginRow): vscode.TreeItem {
  switch (row.kind) {
    case 'plugin':
      return pluginItem(row.plugin);
    case 'group': {
      const item = new vscode.TreeItem(row.label, vscode.TreeItemCollapsibleState.Collapsed);
      item.description = String(row.names.length);
      item.iconPath = new vscode.ThemeIcon(row.icon);
      return item;
    }
    case 'name': {
      const item = new vscode.TreeItem(row.label);
      item.iconPath = new vscode.ThemeIcon(row.icon);
      return item;
    }
    case 'problem':
      return problemItem(row.diagnostic);
  }
}

const stateIcons: Readonly<Record<PluginRecord['status'], vscode.ThemeIcon>> = {
  loaded: new vscode.ThemeIcon('plug', new vscode.ThemeColor('charts.green')),
  disabled: new vscode.ThemeIcon('circle-slash'),
  error: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
};

function pluginItem(plugin: PluginRecord): vscode.TreeItem {
  const item = new vscode.TreeItem(plugin.name, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `${plugin.origin}:${plugin.source}`;
  item.description = [plugin.version, plugin.status === 'loaded' ? plugin.origin : plugin.reason]
    .filter(Boolean)
    .join(' · ');
  item.iconPath =
    plugin.needsConsent === undefined ? stateIcons[plugin.status] : new vscode.ThemeIcon('shield');
  item.contextValue =
    plugin.status === 'disabled' && !canEnable(plugin) ? 'plugin.fixed' : `plugin.${plugin.status}`;
  item.tooltip = pluginTooltip(plugin);
  item.accessibilityInformation = { label: `${plugin.name}, ${plugin.status}, ${plugin.reason}` };
  return item;
}

/** False where something else than the plugin's own switch keeps it off: trust, a list, a plugin of the same id. */
function canEnable(plugin: PluginRecord): boolean {
  return (
    plugin.needsConsent !== undefined ||
    ['disabled in config', 'bundled (disabled by default)'].includes(plugin.reason)
  );
}

// Texts of a plugin are untrusted: escaped, and the tooltip's markdown runs no command.
function pluginTooltip(plugin: PluginRecord): vscode.MarkdownString {
  const load =
    plugin.timings === undefined
      ? []
      : [vscode.l10n.t('Loaded in {0} ms', (plugin.timings.loadMs + plugin.timings.registerMs).toFixed(0))];
  const lines = [
    `**${escapeMarkdown(plugin.name)}** ${escapeMarkdown(plugin.version ?? '')}`,
    ...(plugin.description === undefined ? [] : [escapeMarkdown(plugin.description)]),
    `${plugin.status}: ${escapeMarkdown(plugin.reason)}`,
    [
      vscode.l10n.t('Tools: {0}', plugin.toolNames.length),
      vscode.l10n.t('Hooks: {0}', plugin.hookNames.length),
      ...load,
    ].join(' · '),
    escapeMarkdown(plugin.source),
  ];
  return new vscode.MarkdownString(lines.join('\n\n'));
}

const levelIcons: Readonly<Record<Diagnostic['level'], string>> = {
  info: 'info',
  warn: 'warning',
  error: 'error',
};

function problemItem(diagnostic: Diagnostic): vscode.TreeItem {
  const item = new vscode.TreeItem(diagnostic.message);
  item.tooltip = describeDiagnostic(diagnostic);
  item.accessibilityInformation = { label: `${diagnostic.level}: ${describeDiagnostic(diagnostic)}` };
  item.iconPath = new vscode.ThemeIcon(levelIcons[diagnostic.level]);
  if (diagnostic.source !== undefined) {
    if (diagnostic.line !== undefined)
      item.description = `${basename(diagnostic.source)}:${String(diagnostic.line)}`;
    const line = Math.max(0, (diagnostic.line ?? 1) - 1);
    item.command = {
      command: 'vscode.open',
      title: vscode.l10n.t('Open file'),
      arguments: [vscode.Uri.file(diagnostic.source), { selection: new vscode.Range(line, 0, line, 0) }],
    };
  }
  return item;
}
