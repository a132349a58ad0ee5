import * as vscode from 'vscode';
import { formatPriority, maxPriority } from '../../base/formatNumbers.ts';
import { escapeMarkdown, inertLine, plural } from '../../base/text.ts';
import type { PluginOrigin, PluginRecord } from '../../plugins/pluginTypes.ts';
import { mcpItem } from '../mcp/mcpItems.ts';
import { isMcpRow } from '../mcp/mcpRows.ts';
import { dextoItem } from './dextoItems.ts';
import { shownName } from './pluginIs.ts';
import {
  formatMs,
  pluginContext,
  problemsOf,
  type PluginRow,
  describeHook,
  type GroupName,
  type RowEntry,
} from './pluginRows.ts';
import { problemItem } from './problemItem.ts';
import { shortReason } from './shortReason.ts';
import type { AddressesRow, AddressRow } from './addressRows.ts';
import type { HookOrigin, OperatorHookRecord } from '../../plugins/operatorHooks/operatorHookTypes.ts';
import { hookContext } from './hookContext.ts';

const groupIcons: Readonly<Record<GroupName, string>> = {
  tools: 'tools',
  hooks: 'zap',
  commands: 'terminal',
  services: 'server-process',
  cli: 'console',
  other: 'circle-outline',
};

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

/** `Addresses  2 · gateway off`. */
function addressesItem({ addresses, state, base, reason }: AddressesRow): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Addresses'), vscode.TreeItemCollapsibleState.Collapsed);
  item.description = `${String(addresses.length)} · ${base ?? stateText(state)}`;
  item.iconPath = new vscode.ThemeIcon('globe');
  item.contextValue = `addresses.${state}`;
  item.tooltip =
    state === 'on'
      ? vscode.l10n.t('What the gateway serves of this plugin.')
      : inertLine(reason ?? vscode.l10n.t('They are served while the gateway runs: Start Gateway.'), 300);
  return item;
}

/** `/callback  http://127.0.0.1:18789/callback`; where nothing serves it, why. */
function addressItem({ path, route, match, address, stands, needsToken }: AddressRow): vscode.TreeItem {
  const below = match === 'prefix' && route === 'http route';
  const label = route === 'http handler' ? vscode.l10n.t('any other path') : inertLine(path, 120);
  const item = new vscode.TreeItem(below ? `${label.replace(/\/$/u, '')}/…` : label);
  const isOn = stands === 'on' && address !== undefined;
  const token = needsToken ? [vscode.l10n.t('with the token')] : [];
  item.description = isOn
    ? [inertLine(address, 300), ...token].join(' · ')
    : vscode.l10n.t('registered, not served: {0}', stateText(stands));
  item.iconPath = new vscode.ThemeIcon(isOn ? (needsToken ? 'lock' : 'link') : 'circle-slash');
  item.contextValue = `address.${isOn ? (needsToken ? 'token' : 'open') : stands}`;
  item.tooltip = [
    ...(isOn ? [inertLine(address, 300)] : []),
    ...(below ? [vscode.l10n.t('It serves what lies below this path, too.')] : []),
    needsToken
      ? vscode.l10n.t("Callers need the gateway's token, which no browser sends: Copy Gateway Token.")
      : vscode.l10n.t('Anybody on this machine may call it; the plugin checks who does.'),
  ].join('\n');
  return item;
}

function stateText(stands: AddressRow['stands']): string {
  switch (stands) {
    case 'off':
      return vscode.l10n.t('gateway off');
    case 'starting':
      return vscode.l10n.t('gateway starts');
    case 'failed':
      return vscode.l10n.t('gateway failed');
    case 'refused':
      return vscode.l10n.t('refused');
    case 'on':
      return vscode.l10n.t('gateway on');
  }
}

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
function groupItem(plugin: PluginRecord, group: GroupName, entries: readonly RowEntry[]): vscode.TreeItem {
  const item = new vscode.TreeItem(groupLabel(group), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `${plugin.origin}:${plugin.source}:${group}`;
  item.description = String(entries.length);
  item.iconPath = new vscode.ThemeIcon(groupIcons[group]);
  return item;
}

/** One thing that a plugin brought; a hook says when it is asked. */
function entryItem(group: GroupName, entry: RowEntry): vscode.TreeItem {
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
      ? vscode.l10n.t('Handler {0} of {1} for {2}, counting all plugins.', hook.position, hook.of, hook.hook)
      : vscode.l10n.t('The only handler for {0}.', hook.hook),
    Math.abs(hook.priority) > maxPriority
      ? vscode.l10n.t('Higher priorities run first; this one runs {0}.', formatPriority(hook.priority))
      : vscode.l10n.t('Higher priorities run first; this one has {0}.', hook.priority),
    hook.timeoutMs === null
      ? vscode.l10n.t('It runs synchronously, so no time limit applies.')
      : vscode.l10n.t('It times out after {0}.', formatMs(hook.timeoutMs)),
  ].join('\n');
}

/** The group of all operator hooks; it is there only where there are any. */
function operatorHooksItem(hooks: readonly OperatorHookRecord[]): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Operator Hooks'), vscode.TreeItemCollapsibleState.Expanded);
  item.id = 'operator hooks';
  const problems = problemsOf(hooks).length;
  item.description = [
    String(hooks.length),
    ...(problems === 0 ? [] : [plural(problems, vscode.l10n.t('problem'), vscode.l10n.t('problems'))]),
  ].join(' · ');
  item.tooltip = vscode.l10n.t(
    'Scripts that run when something happens: folders with a HOOK.md in the workspace and in your home folder.',
  );
  return item;
}

/** One operator hook: what it does now, and why. It unfolds to its problems and events. */
function operatorHookItem(hook: OperatorHookRecord): vscode.TreeItem {
  const name = inertLine(hook.name, 60);
  const emoji = inertLine(hook.emoji ?? '', 8);
  const item = new vscode.TreeItem(
    emoji === '' ? name : `${emoji} ${name}`,
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `hook:${hook.hookFile}`;
  item.description = hookState(hook);
  item.iconPath = stateIcon(hook, 'zap');
  item.contextValue = hookContext(hook);
  item.tooltip = operatorHookTooltip(hook);
  item.accessibilityInformation = { label: `${name}, ${hook.status}, ${inertLine(hook.reason, 200)}` };
  return item;
}

/** The few words that fit beside the name; the tooltip has all. */
function hookState({ status, reason, needsConsent }: OperatorHookRecord): string {
  if (status !== 'loaded') return inertLine(reason, 200);
  return needsConsent === undefined
    ? vscode.l10n.t('on')
    : vscode.l10n.t('files have changed; the version you allowed still runs');
}

// Texts of a hook are untrusted: escaped, and the tooltip's markdown runs no command.
function operatorHookTooltip(hook: OperatorHookRecord): vscode.MarkdownString {
  const shown = (text: string): string => escapeMarkdown(inertLine(text, 300));
  const lines = [
    `**${shown(hook.name)}**`,
    shown(hook.description),
    `${hook.status}: ${shown(hook.reason)}`,
    `${vscode.l10n.t('Runs on: {0}', shown(hook.events.join(', ')))} · ${originText(hook.origin)}`,
    escapeMarkdown(hook.source),
  ];
  return new vscode.MarkdownString(lines.filter((line) => line !== '').join('\n\n'));
}

function originText(origin: HookOrigin): string {
  switch (origin) {
    case 'workspace':
      return vscode.l10n.t('from this workspace');
    case 'managed':
      return vscode.l10n.t('from your home folder');
    case 'config':
      return vscode.l10n.t('from a folder that your config names');
  }
}

/** What plugins and operator hooks have in common. */
type Stateful = Pick<PluginRecord, 'status' | 'needsConsent' | 'diagnostics' | 'dexto'>;

/** The icon of what runs (`onIcon`, green), waits, is off or failed. */
function stateIcon({ status, needsConsent, diagnostics, dexto }: Stateful, onIcon: string): vscode.ThemeIcon {
  if (needsConsent !== undefined) return new vscode.ThemeIcon('shield');
  switch (status) {
    case 'loaded':
      return dexto?.profile?.lastFailure !== undefined || diagnostics.some(({ level }) => level !== 'info')
        ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
        : new vscode.ThemeIcon(onIcon, new vscode.ThemeColor('charts.green'));
    case 'disabled':
      return new vscode.ThemeIcon('circle-slash');
    case 'error':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  }
}
