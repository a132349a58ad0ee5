import { formatPriority } from '../../base/formatNumbers.ts';
import { inertLine } from '../../base/text.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { coarseProfile, planDextoRows, type DextoRow } from './dextoRows.ts';
import { isMcpRow, isSaidByServer, mcpRowKey, planMcpRows, type McpRow } from '../mcp/mcpRows.ts';
import { planFixes } from './planFixes.ts';
import { planAddresses, type AddressesRow, type AddressRow, type GatewayView } from './addressRows.ts';
import { isConfigurable, mayDevelop, mayForget } from './pluginIs.ts';
import {
  dextoIdPrefix,
  type ExecutionProfile,
  type HookListing,
  type PluginOrigin,
  type PluginRecord,
} from '../../plugins/pluginTypes.ts';
import type { ServerView } from '../../mcp/mcpServers.ts';
import type { OperatorHookRecord } from '../../plugins/operatorHooks/operatorHookTypes.ts';

/** What a plugin brought, in the order the tree shows it. */
export type GroupName = 'tools' | 'hooks' | 'commands' | 'services' | 'cli' | 'other';

/** One thing that a plugin brought. */
export interface RowEntry {
  readonly name: string;
  readonly hook?: HookListing;
  /** Its kind; only in the group `other`. */
  readonly kind?: string;
  /** Registered, listed and checked, but nothing asks it yet. */
  readonly isUnused?: boolean;
}

export { servedNow } from './addressRows.ts';

/** A row of the Plugins view. */
export type PluginRow =
  | DextoRow
  | McpRow
  | AddressesRow
  | AddressRow
  /** What to do first, where the user has no plugin of his own. */
  | { readonly kind: 'start' }
  | {
      readonly kind: 'origin';
      readonly origin: PluginOrigin;
      readonly plugins: readonly PluginRecord[];
      readonly served: GatewayView;
    }
  | {
      readonly kind: 'plugin';
      readonly pluginId: string;
      readonly source: string;
      readonly plugin: PluginRecord;
      /** What the gateway serves of it; absent where it registered nothing for the gateway. */
      readonly addresses?: AddressesRow;
    }
  | {
      readonly kind: 'group';
      readonly plugin: PluginRecord;
      readonly group: GroupName;
      readonly entries: readonly RowEntry[];
    }
  | { readonly kind: 'entry'; readonly group: GroupName; readonly entry: RowEntry }
  | { readonly kind: 'config'; readonly pluginId: string; readonly source: string }
  | { readonly kind: 'timings'; readonly plugin: PluginRecord }
  | { readonly kind: 'operator hooks'; readonly hooks: readonly OperatorHookRecord[] }
  | { readonly kind: 'operator hook'; readonly hookFile: string; readonly hook: OperatorHookRecord }
  | { readonly kind: 'problem'; readonly pluginId?: string; readonly diagnostic: Diagnostic };

/** The user's own first, what came with Pincer last. */
const originOrder: readonly PluginOrigin[] = ['workspace', 'global', 'config', 'bundled'];

/**
 * The top of the tree: problems that belong to no plugin, operator hook or MCP server, then plugins by where they come from, then
 * operator hooks, then MCP servers. Empty where there is nothing at all, so that the view shows its welcome text. Pure.
 */
export function planRootRows(
  plugins: readonly PluginRecord[],
  diagnostics: readonly Diagnostic[],
  hooks: readonly OperatorHookRecord[] = [],
  servers: readonly ServerView[] = [],
  served: GatewayView = { state: 'off', routes: [] },
): readonly PluginRow[] {
  const own = new Set([...plugins, ...hooks].flatMap((each) => each.diagnostics));
  const problems = diagnostics.filter((each) => !own.has(each) && !isSaidByServer(each));
  const origins = originOrder.flatMap((origin): PluginRow[] => {
    const found = plugins.filter((plugin) => plugin.origin === origin);
    return found.length === 0 ? [] : [{ kind: 'origin', origin, plugins: found, served }];
  });
  if ([origins, problems, hooks, servers].every(({ length }) => length === 0)) return [];
  const hasOwn = plugins.some((plugin) => plugin.origin !== 'bundled');
  return [
    ...problems.map(toProblem),
    ...(hasOwn ? [] : [{ kind: 'start' } as const]),
    ...origins,
    ...(hooks.length === 0 ? [] : [{ kind: 'operator hooks', hooks } as const]),
    ...(servers.length === 0 ? [] : [{ kind: 'mcp servers', servers } as const]),
  ];
}

/** What a row unfolds to: of a plugin or operator hook its problems first, then what it brought. Pure. */
export function planChildRows(row: PluginRow): readonly PluginRow[] {
  if (isMcpRow(row)) return planMcpRows(row);
  switch (row.kind) {
    case 'origin':
      return row.plugins.map((plugin) => {
        const addresses = planAddresses(plugin, row.served);
        const { id: pluginId, source } = plugin;
        return {
          ...{ kind: 'plugin', pluginId, source, plugin },
          ...(addresses === undefined ? {} : { addresses }),
        };
      });
    case 'plugin':
      return planPluginRows(row.plugin, row.addresses);
    case 'addresses':
      return row.addresses;
    case 'notices':
      return row.notices.map((notice) => ({ kind: 'notice', notice }));
    case 'group':
      return row.entries.map((entry) => ({ kind: 'entry', group: row.group, entry }));
    case 'operator hooks':
      return row.hooks.map((hook) => ({ kind: 'operator hook', hookFile: hook.hookFile, hook }));
    case 'operator hook':
      return [
        ...row.hook.diagnostics.map(toProblem),
        ...row.hook.events.map((name): PluginRow => ({ kind: 'entry', group: 'hooks', entry: { name } })),
      ];
    default:
      return [];
  }
}

function planPluginRows(plugin: PluginRecord, addresses?: AddressesRow): readonly PluginRow[] {
  // What waits for the gateway, the addresses tell.
  const problems = plugin.diagnostics.filter(
    ({ code }) => addresses === undefined || code !== 'plugin_needs_gateway',
  );
  const groups = groupsOf(plugin).filter(({ entries }) => entries.length > 0);
  return [
    ...problems.map((each) => toProblem({ ...each, fixes: planFixes(each, plugin) })),
    ...planDextoRows(plugin),
    ...groups.map(({ group, entries }): PluginRow => ({ kind: 'group', plugin, group, entries })),
    ...(addresses === undefined ? [] : [addresses]),
    ...(isConfigurable(plugin)
      ? [{ kind: 'config', pluginId: plugin.id, source: plugin.source } as const]
      : []),
    ...(plugin.timings === undefined ? [] : [{ kind: 'timings', plugin } as const]),
  ];
}

/** What a group counts beside its rows. Pure. */
export function problemsOf(
  owners: readonly { readonly diagnostics: readonly Diagnostic[] }[],
): readonly Diagnostic[] {
  return owners.flatMap(({ diagnostics }) => diagnostics).filter(({ level }) => level !== 'info');
}

/** Tells a row from its siblings; two may have one key. Pure. */
export function pluginRowKey(row: PluginRow): string {
  if (isMcpRow(row)) return mcpRowKey(row);
  switch (row.kind) {
    case 'origin':
      return row.origin;
    case 'plugin':
      return `${row.source} ${row.pluginId}`;
    case 'group':
      return row.group;
    case 'entry':
      return `${row.entry.kind ?? ''} ${row.entry.name}`;
    case 'operator hook':
      return row.hookFile;
    case 'problem':
      return `${row.diagnostic.code} ${row.diagnostic.message}`;
    case 'point':
      return row.point.point;
    case 'address':
      return `${row.route} ${row.path}`;
    default:
      return row.kind;
  }
}

/**
 * Changes exactly when a row would look different; what is below a plugin or an operator hook is part of its look. A plugin's calls
 * are not, but for the first and for those that did not go well. Pure.
 */
export function pluginRowLook(row: PluginRow, configKeys: (pluginId: string) => number): string {
  if (isMcpRow(row)) return JSON.stringify(row);
  switch (row.kind) {
    case 'origin':
      return String(problemsOf(row.plugins).length);
    case 'operator hooks':
      return String(problemsOf(row.hooks).length);
    case 'plugin':
      return JSON.stringify([row.plugin, row.addresses, configKeys(row.pluginId)], (key, value: unknown) =>
        key === 'profile' ? coarseProfile(value as ExecutionProfile) : value,
      );
    case 'operator hook':
      return JSON.stringify(row.hook);
    case 'problem':
      return JSON.stringify(row.diagnostic);
    default:
      return '';
  }
}

interface Group {
  readonly group: GroupName;
  readonly entries: readonly RowEntry[];
}

const ownGroups = new Set(['tool', 'hook', 'command', 'service', 'cli', 'http route', 'http handler']);

function groupsOf(plugin: PluginRecord): readonly Group[] {
  const { registrations } = plugin;
  const named = (names: readonly string[] | undefined): readonly RowEntry[] =>
    (names ?? []).map((name) => ({ name }));
  const unused = new Set(plugin.unused);
  const other = Object.entries(registrations)
    .filter(([kind]) => !ownGroups.has(kind))
    .flatMap(([kind, names]) =>
      names.map((name) => ({ name, kind, isUnused: unused.has(`${kind} ${name}`) })),
    );
  return [
    { group: 'tools', entries: named(registrations.tool) },
    { group: 'hooks', entries: plugin.hooks.map((hook) => ({ name: hook.hook, hook })) },
    { group: 'commands', entries: named(registrations.command?.map((name) => `/${name}`)) },
    { group: 'services', entries: named(registrations.service) },
    { group: 'cli', entries: named(registrations.cli) },
    { group: 'other', entries: other },
  ];
}

/** False where something else than the plugin's own switch keeps it off: trust, a list, a plugin of the same id. */
function canEnable({ needsConsent, disabledBy }: PluginRecord): boolean {
  return needsConsent !== undefined || disabledBy === 'entry' || disabledBy === 'default';
}

/** Names what the context menu may offer on a plugin, as `plugin.<state>` and flags. */
export function pluginContext(plugin: PluginRecord): string {
  const state = plugin.status === 'disabled' && !canEnable(plugin) ? 'fixed' : plugin.status;
  // It runs as it was when the user allowed it; its files have changed since.
  const isChanged = plugin.status !== 'disabled' && plugin.needsConsent !== undefined;
  const flags = [
    ...(isChanged ? ['changed'] : []),
    ...(isConfigurable(plugin) ? ['configurable'] : []),
    ...(mayDevelop(plugin) ? ['mayDevelop'] : []),
    ...(plugin.developing === true ? ['developing'] : []),
    ...(mayForget(plugin) ? ['mayForget'] : []),
    ...(plugin.dexto === undefined ? [] : ['dexto', ...(plugin.dexto.isBuiltIn ? ['builtIn'] : [])]),
    // A plugin that the user wrote into the home folder stays the user's.
    ...(plugin.isInstalled === true ? ['installed'] : []),
  ];
  return ['plugin', state, ...flags].join('.');
}

/** Names the remedies of a problem: the best as `best-<kind>`, the others as `also-<kind>`. */
export function problemContext({ fixes = [], pluginId }: Diagnostic): string {
  // A plugin of the agent file has no manifest of its own.
  const hasManifest = pluginId !== undefined && !pluginId.startsWith(dextoIdPrefix);
  const kinds = [...new Set(fixes.map(({ kind }) => kind))];
  const named = kinds.map((kind, index) => `.${index === 0 ? 'best' : 'also'}-${kind}`);
  return `problem${hasManifest ? '.plugin' : ''}${named.join('')}`;
}

/** For what it is called, its place among the handlers of a hook, and how long it may take: `only exec · 2 of 3 · priority 50 · 15 s`. */
export function describeHook({ position, of, priority, timeoutMs, only }: HookListing): string {
  const scope = only === undefined ? [] : [`only ${inertLine(only.join(', '), 80)}`];
  const place = of > 1 ? [`${String(position)} of ${String(of)}`] : [];
  const limit = timeoutMs === null ? [] : [formatMs(timeoutMs)];
  return [...scope, ...place, formatPriority(priority), ...limit].join(' · ');
}

/** `15 s`, `1.5 s`, `500 ms`. */
export function formatMs(ms: number): string {
  return ms >= 1_000 ? `${String(Math.round(ms / 100) / 10)} s` : `${String(Math.round(ms))} ms`;
}

function toProblem(diagnostic: Diagnostic): PluginRow {
  const { pluginId } = diagnostic;
  return { kind: 'problem', diagnostic, ...(pluginId === undefined ? {} : { pluginId }) };
}
