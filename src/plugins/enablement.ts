import type { Event } from '../base/event.ts';
import {
  configFor,
  entryOf,
  type DisabledBy,
  type PluginOrigin,
  type PluginRecord,
  type PluginsConfig,
} from './pluginTypes.ts';
import { chosenFor, slotsOf, type SlotKey } from './slots.ts';

/** What deciding needs to know of one plugin. */
export interface EnablementSubject {
  readonly id: string;
  readonly origin: PluginOrigin;
  readonly kind: readonly string[];
  readonly enabledByDefault: boolean;
}

/** Whether the user has agreed to run exactly these files; `not-needed` where no consent applies. */
export type ConsentState = 'given' | 'never-enabled' | 'files-changed' | 'not-needed';

export interface EnablementFacts {
  readonly config: PluginsConfig;
  /** False in a window whose workspace the user has not trusted: only bundled plugins run there. */
  readonly trusted: boolean;
  readonly consent: ConsentState;
  /** The plugins that already fill an exclusive slot. */
  readonly slotsFilledBy?: Readonly<Partial<Record<SlotKey, string>>>;
}

/** `reason` is one line for people; texts are upstream's where it has one. */
export type Enablement =
  | { readonly enabled: true; readonly reason: string }
  | { readonly enabled: false; readonly reason: string; readonly by: DisabledBy; readonly slot?: SlotKey };

type Step = (plugin: EnablementSubject, facts: EnablementFacts) => Enablement | undefined;

/** In this order; the first step that decides counts. */
const steps: readonly Step[] = [
  ({ id }, { config }) => switchedOff(id, config),
  ({ origin }, { config }) =>
    config.onlyBundled === true && origin !== 'bundled'
      ? off('broken-config', 'your config can not be read')
      : undefined,
  ({ origin }, { trusted }) =>
    trusted || origin === 'bundled' ? undefined : off('trust', 'workspace is not trusted'),
  decideConsent,
  decideSlots,
  ({ id }, { config }) =>
    config.allow.length > 0 && !config.allow.includes(id) ? off('allowlist', 'not in allowlist') : undefined,
  ({ id }, { config }) => (entryOf(config, id).enabled === true ? on('enabled in config') : undefined),
  ({ enabledByDefault }) => (enabledByDefault ? on('enabled by default') : undefined),
  ({ origin }) => (origin === 'bundled' ? off('default', 'bundled (disabled by default)') : undefined),
];

/** Whether a plugin runs, and why. Pure. */
export function decideEnablement(plugin: EnablementSubject, facts: EnablementFacts): Enablement {
  for (const step of steps) {
    const decision = step(plugin, facts);
    if (decision !== undefined) return decision;
  }
  return on(facts.consent === 'given' ? 'enabled by you' : 'enabled');
}

/**
 * Why a plugin that runs may not run any more by a config that was changed meanwhile; undefined where it may. That nothing enables it now
 * forbids nothing. Pure.
 */
export function forbiddenBy(
  config: PluginsConfig,
  { id, origin, kind }: Pick<EnablementSubject, 'id' | 'origin' | 'kind'>,
): string | undefined {
  const facts = { config: configFor(config, origin), trusted: true, consent: 'not-needed' } as const;
  const decision = decideEnablement({ id, origin, kind, enabledByDefault: true }, facts);
  return decision.enabled ? undefined : decision.reason;
}

/**
 * Ids of plugins that run and that the config, as it is by now, forbids; looked up once for each config and each change of the window's
 * plugins, since every hook asks. Dexto plugins are not among them: they are one set, and go on to the end of the turn.
 */
export function createForbidden(
  config: () => PluginsConfig,
  list: () => readonly PluginRecord[],
  onDidChange: Event<void>,
): () => ReadonlySet<string> {
  let known: { readonly config: PluginsConfig; readonly ids: ReadonlySet<string> } | undefined;
  onDidChange(() => {
    known = undefined;
  });
  return () => {
    const now = config();
    if (known?.config === now) return known.ids;
    const running = list().filter(({ status, dexto }) => status === 'loaded' && dexto === undefined);
    const off = running.filter((plugin) => forbiddenBy(now, plugin) !== undefined);
    known = { config: now, ids: new Set(off.map(({ id }) => id)) };
    return known.ids;
  };
}

/** True for a loaded plugin that the user lets lead conversations; a bundled one may. Pure. */
export function mayLead(plugins: readonly PluginRecord[], config: PluginsConfig, pluginId: string): boolean {
  const found = plugins.find(({ id, status }) => id === pluginId && status === 'loaded');
  if (found === undefined) return false;
  const { hooks } = entryOf(configFor(config, found.origin), pluginId);
  return found.origin === 'bundled' || hooks?.allowConversationAccess === true;
}

/** What is said of a plugin by name, and of all of them. */
function switchedOff(id: string, config: PluginsConfig): Enablement | undefined {
  if (!config.enabled) return off('master-switch', 'plugins disabled');
  if (config.deny.includes(id)) return off('denylist', 'blocked by denylist');
  return entryOf(config, id).enabled === false ? off('entry', 'disabled in config') : undefined;
}

function decideConsent(_: EnablementSubject, { consent }: EnablementFacts): Enablement | undefined {
  if (consent === 'never-enabled') return off('consent', 'workspace plugin (disabled by default)');
  if (consent === 'files-changed')
    return off('consent', 'workspace plugin (its files or settings have changed since you enabled it)');
  return undefined;
}

/** A plugin of two kinds runs where it fills one of its slots, and is off where it may fill none of them. */
function decideSlots(plugin: EnablementSubject, facts: EnablementFacts): Enablement | undefined {
  const decisions = slotsOf(plugin.kind).map((slot) => decideSlot(slot, plugin.id, facts));
  const chosen = decisions.find((decision) => decision?.enabled === true);
  if (chosen !== undefined) return chosen;
  return decisions.every((decision) => decision !== undefined) ? decisions[0] : undefined;
}

/** One plugin fills a slot (OpenClaw plugin API, Plugin Slot System). Until one is chosen, the first that gets here does. */
function decideSlot(slot: SlotKey, id: string, facts: EnablementFacts): Enablement | undefined {
  const chosen = chosenFor(slot, facts.config);
  const blocked = (reason: string): Enablement => ({ ...off('slot', reason), slot });
  if (chosen === null) return blocked(`${slot} slot disabled`);
  if (chosen === id) return on(`fills the ${slot} slot`);
  if (chosen !== undefined) return blocked(`${slot} slot set to "${chosen}"`);
  const filledBy = facts.slotsFilledBy?.[slot];
  return filledBy === undefined ? undefined : blocked(`${slot} slot already filled by "${filledBy}"`);
}

function on(reason: string): Enablement {
  return { enabled: true, reason };
}

function off(by: DisabledBy, reason: string): Extract<Enablement, { enabled: false }> {
  return { enabled: false, reason, by };
}
