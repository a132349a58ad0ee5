import { entryOf, type PluginOrigin, type PluginsConfig } from './pluginTypes.ts';

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
  /** The plugin that already fills the memory slot. */
  readonly memorySlotFilledBy?: string;
}

/** `reason` is one line for people; texts are upstream's where it has one. */
export interface Enablement {
  readonly enabled: boolean;
  readonly reason: string;
}

type Step = (plugin: EnablementSubject, facts: EnablementFacts) => Enablement | undefined;

/** In this order; the first step that decides counts (rulings P3). */
const steps: readonly Step[] = [
  (_, { config }) => (config.enabled ? undefined : off('plugins disabled')),
  ({ id }, { config }) => (config.deny.includes(id) ? off('blocked by denylist') : undefined),
  ({ id }, { config }) => (entryOf(config, id).enabled === false ? off('disabled in config') : undefined),
  ({ origin }, { config }) =>
    config.onlyBundled === true && origin !== 'bundled' ? off('your config can not be read') : undefined,
  ({ origin }, { trusted }) =>
    trusted || origin === 'bundled' ? undefined : off('workspace is not trusted'),
  decideConsent,
  decideMemorySlot,
  ({ id }, { config }) =>
    config.allow.length > 0 && !config.allow.includes(id) ? off('not in allowlist') : undefined,
  ({ id }, { config }) => (entryOf(config, id).enabled === true ? on('enabled in config') : undefined),
  ({ enabledByDefault }) => (enabledByDefault ? on('enabled by default') : undefined),
  ({ origin }) => (origin === 'bundled' ? off('bundled (disabled by default)') : undefined),
];

/** Whether a plugin runs, and why. Pure. */
export function decideEnablement(plugin: EnablementSubject, facts: EnablementFacts): Enablement {
  for (const step of steps) {
    const decision = step(plugin, facts);
    if (decision !== undefined) return decision;
  }
  return on(facts.consent === 'given' ? 'enabled by you' : 'enabled');
}

function decideConsent(_: EnablementSubject, { consent }: EnablementFacts): Enablement | undefined {
  if (consent === 'never-enabled') return off('workspace plugin (disabled by default)');
  if (consent === 'files-changed')
    return off('workspace plugin (its files have changed since you enabled it)');
  return undefined;
}

/** Only one memory plugin runs (seed 002, 7). Until one is chosen, the first that gets here fills the slot. */
function decideMemorySlot(plugin: EnablementSubject, facts: EnablementFacts): Enablement | undefined {
  if (!plugin.kind.includes('memory')) return undefined;
  const chosen = Object.hasOwn(facts.config.slots, 'memory') ? facts.config.slots['memory'] : undefined;
  if (chosen === 'none') return off('memory slot disabled');
  if (chosen === plugin.id) return on('fills the memory slot');
  if (chosen !== undefined) return off(`memory slot set to "${chosen}"`);
  const { memorySlotFilledBy } = facts;
  return memorySlotFilledBy === undefined
    ? undefined
    : off(`memory slot already filled by "${memorySlotFilledBy}"`);
}

function on(reason: string): Enablement {
  return { enabled: true, reason };
}

function off(reason: string): Enablement {
  return { enabled: false, reason };
}
