import type { CallPlugin } from '../createCallGuard.ts';
import type { HostProviderKind, PluginCandidate } from '../pluginTypes.ts';
import type { OpenClawConfig, PluginServiceContext } from '../../sdk/types.ts';

/** `api.registerProvider`, checked as far as it can be without asking it for its models. */
export interface ProviderRegistration {
  readonly id: string;
  readonly label: string;
  /** What the plugin gave, whose fields are anything. */
  readonly given: Readonly<Record<string, unknown>>;
  /** How its user can sign in to it. */
  readonly signIns: readonly SignInMethod[];
  /** Where its plugin lies; credentials that one got are no other's. */
  readonly from: Pick<PluginCandidate, 'origin' | 'rootDir'>;
  /** Calls code of the plugin. */
  readonly call: CallPlugin;
}

/** A way to sign in that a provider offers (`auth` of OpenClaw's `registerProvider`). */
export interface SignInMethod {
  readonly id: string;
  readonly label: string;
  readonly hint: string | undefined;
  /** The plugin's function; what it gives is anything. */
  readonly run: (context: object) => unknown;
}

/** A provider of a loaded plugin. The `given` object stands for its registration: another load brings another one. */
export interface PluginProvider extends ProviderRegistration {
  readonly pluginId: string;
  /** What the plugin's services know, too. */
  readonly context: PluginServiceContext;
}

/** What a second provider of that id is told (upstream's text). */
export function providerTaken(id: string, plugin: string): string {
  return `provider already registered: ${id} (${plugin})`;
}

/** Searches, fetches, summarises, embeds or speaks in the host's place. */
export interface HostProviderRegistration {
  readonly kind: HostProviderKind;
  readonly id: string;
  readonly label: string;
  /** The model of an embedding provider where the config names none. */
  readonly defaultModel: string | undefined;
  /** Milliseconds that a speech provider asks for where the config says nothing. */
  readonly defaultTimeoutMs: number | undefined;
  /** What the plugin sees as `api.config` now; each time a copy. */
  readonly currentConfig: () => OpenClawConfig;
  /** Calls the one function that the host needs of it; what it gives is anything. */
  readonly run: (argument: object) => unknown;
  /** Other functions of it, by name, where they are there: `resolveConfig` and `isConfigured` of a speech provider. */
  readonly more: Readonly<Record<string, (argument: object) => unknown>>;
  /** Calls other code of the plugin. */
  readonly call: CallPlugin;
}

/** A provider that the host asks, of a loaded plugin. */
export interface HostProvider extends HostProviderRegistration {
  readonly pluginId: string;
}

/** As `providerTaken`, for a provider that the host asks. */
export function hostProviderTaken(kind: HostProviderKind): (id: string, plugin: string) => string {
  return (id, plugin) => `${kind} already registered: ${id} (${plugin})`;
}
