import * as vscode from 'vscode';
import { escapeMarkdown, inertLine, plural } from '../../base/text.ts';
import type { PluginOrigin, PluginRecord } from '../../plugins/pluginTypes.ts';
import { mcpItem } from '../mcp/mcpItems.ts';
import { isMcpRow } from '../mcp/mcpRows.ts';
import { dextoItem } from './dextoItems.ts';
import { addressesItem, addressItem } from './addressItems.ts';
import { entryItem, groupItem } from './groupItems.ts';
import { operatorHookItem, operatorHooksItem } from './hookItem.ts';
import { shownName } from './pluginIs.ts';
import { formatMs, pluginContext, problemsOf, type PluginRow } from './pluginRows.ts';
import { problemItem } from './problemItem.ts';
import { shortReason } from './shortReason.ts';
import { stateIcon } from './stateIcon.ts';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** `configKeys` counts the settings that the user has set for a plugin. */
export function toPluginItem(row: PluginRow, configKeys: (pluginId: string) => number): vscode.TreeItem {
  if (isMcpRow(row)) return mcpItem(row);
  switch (row.kind) {
    case 'start':
      return startItem();
    case 'origin':
      return originItem(row.origin, row.plugins);
    case 'plugin':
      return pluginItem(row.plugin);
    case 'group':
      return groupItem(row.plugin, row.group, row.entries);
    case 'entry':
      return entryItem(row.group, row.entry);
    case 'addresses':
      return addressesItem(row);
    case 'address':
      return addressItem(row);
    case 'config':
      return configItem(row.pluginId, row.source, configKeys(row.pluginId));
    case 'timings':
      return timingsItem(row.plugin);
    case 'operator hooks':
      return operatorHooksItem(row.hooks);
    case 'operator hook':
      return operatorHookItem(row.hook);
    case 'problem':
      return problemItem(row.diagnostic);
    default:
      return dextoItem(row);
  }
}

function startItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Write your first plugin'));
  item.description = vscode.l10n.t('new plugin…');
  item.iconPath = new vscode.ThemeIcon('sparkle');
  item.tooltip = vscode.l10n.t('Makes a small plugin in this workspace and opens it.');
  item.command = { command: 'pincer.plugins.new', title: vscode.l10n.t('New Plugin…') };
  return item;
}

function originItem(origin: PluginOrigin, plugins: readonly PluginRecord[]): vscode.TreeItem {
  const { label, tooltip } = originTexts(origin);
  const item = new vscode.TreeItem(label, Expanded);
  item.id = `origin:${origin}`;
  const problems = problemsOf(plugins).length;
  item.description = [
    String(plugins.length),
    ...(problems === 0 ? [] : [plural(problems, vscode.l10n.t('problem'), vscode.l10n.t('problems'))]),
  ].join(' · ');
  item.tooltip = tooltip;
  item.contextValue = `origin.${origin}`;
  return item;
}

function originTexts(origin: PluginOrigin): { readonly label: string; readonly tooltip: string } {
  switch (origin) {
    case 'workspace':
      return {
        label: vscode.l10n.t('Workspace'),
        tooltip: vscode.l10n.t('From .pincer/plugins and .openclaw/extensions of the open folders.'),
      };
    case 'global':
      return {
        label: vscode.l10n.t('Installed'),
        tooltip: vscode.l10n.t('From your home folder; they are there in every workspace.'),
      };
    case 'config':
      return {
        label: vscode.l10n.t('From Config'),
        tooltip: vscode.l10n.t('From the paths that plugins.load.paths names.'),
      };
    case 'bundled':
      return { label: vscode.l10n.t('Bundled'), tooltip: vscode.l10n.t('They come with Pincer.') };
  }
}

function pluginItem(plugin: PluginRecord): vscode.TreeItem {
  const name = shownName(plugin);
  const reason = inertLine(plugin.reason, 200);
  const item = new vscode.TreeItem(name, Collapsed);
  // An agent file may name one module twice, under two names.
  item.id = `${plugin.origin}:${plugin.source}${plugin.dexto === undefined ? '' : `:${plugin.id}`}`;
  const version = plugin.version === undefined ? '' : inertLine(plugin.version, 20);
  const dialect = plugin.dexto === undefined ? '' : dextoLabel(plugin.dexto);
  item.description = [version, pluginState(plugin), dialect].filter(Boolean).join(' · ');
  item.iconPath = stateIcon(plugin, 'plug');
  item.contextValue = pluginContext(plugin);
  item.tooltip = pluginTooltip(plugin);
  item.accessibilityInformation = { label: `${name}, ${plugin.status}, ${reason}` };
  return item;
}

/** `Dexto`, and at one look whether it can stop anything. */
function dextoLabel({ blocking, priority }: NonNullable<PluginRecord['dexto']>): string {
  return blocking
    ? vscode.l10n.t('Dexto {0}, blocking', priority)
    : vscode.l10n.t('Dexto {0}, not blocking', priority);
}

/** The few words that fit beside the name; the tooltip has all. */
function pluginState(plugin: PluginRecord): string {
  const { status, needsConsent, failurePhase } = plugin;
  // The group above says of which origin it is.
  const ofOrigin = /^(?:bundled|workspace plugin) \((.+)\)$/u;
  if (status !== 'loaded') return inertLine(shortReason(plugin.reason, plugin).replace(ofOrigin, '$1'), 200);
  if (failurePhase !== undefined) return vscode.l10n.t('failed to load; the previous version still runs');
  if (plugin.developing === true && needsConsent === undefined) return vscode.l10n.t('on · developing');
  return needsConsent === undefined
    ? vscode.l10n.t('on')
    : vscode.l10n.t('files have changed; the version you allowed still runs');
}

// Texts of a plugin are untrusted: escaped, and the tooltip's markdown runs no command.
function pluginTooltip(plugin: PluginRecord): vscode.MarkdownString {
  const shown = (text: string): string => escapeMarkdown(inertLine(text, 300));
  const lines = [
    `**${shown(plugin.name)}** ${shown(plugin.version ?? '')}`,
    ...(plugin.description === undefined ? [] : [shown(plugin.description)]),
    `${plugin.status}: ${shown(plugin.reason)}`,
    [
      `id ${shown(plugin.id)}`,
      vscode.l10n.t('Tools: {0}', plugin.toolNames.length),
      plugin.dexto === undefined
        ? vscode.l10n.t('Hooks: {0}', plugin.hooks.length)
        : vscode.l10n.t('Extension points: {0}', plugin.dexto.points.length),
    ].join(' · '),
    ...(plugin.dexto === undefined || plugin.dexto.dependsOn.length === 0
      ? []
      : [vscode.l10n.t('Runs after {0}', shown(plugin.dexto.dependsOn.join(', ')))]),
    escapeMarkdown(plugin.source),
  ];
  return new vscode.MarkdownString(lines.join('\n\n'));
}

function configItem(pluginId: string, source: string, keys: number): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Configuration'));
  item.description =
    keys === 0
      ? vscode.l10n.t('defaults')
      : vscode.l10n.t('{0} set', plural(keys, vscode.l10n.t('value'), vscode.l10n.t('values')));
  item.iconPath = new vscode.ThemeIcon('gear');
  item.tooltip = vscode.l10n.t('Change its settings');
  item.command = {
    command: 'pincer.plugins.configure',
    title: vscode.l10n.t('Configure'),
    arguments: [{ pluginId, source }],
  };
  return item;
}

function timingsItem(plugin: PluginRecord): vscode.TreeItem {
  const { loadMs, registerMs } = plugin.timings ?? { loadMs: 0, registerMs: 0 };
  const item = new vscode.TreeItem(vscode.l10n.t('Loaded in {0}', formatMs(loadMs + registerMs)), None);
  const times = [formatMs(loadMs), formatMs(registerMs)];
  item.description =
    plugin.dexto === undefined
      ? vscode.l10n.t('files {0}, register {1}', ...times)
      : vscode.l10n.t('files {0}, initialize {1}', ...times);
  item.iconPath = new vscode.ThemeIcon('watch');
  return item;
}
