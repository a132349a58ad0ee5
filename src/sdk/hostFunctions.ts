import type {
  BundledChannelEntryOptions,
  BundledChannelSetupEntryOptions,
  ChannelEntry,
  ChannelSetupEntry,
  EntryModuleRef,
} from './channelEntries.ts';
import type { SubsystemLogger } from './types/loggerTypes.ts';

/**
 * SDK functions that need the host: each plugin gets its own from it. Nothing here has a body (`createHostFunctions` makes
 * them), so that a plugin author sees their types beside the others.
 */

/** A logger whose lines carry the plugin's id and this name. */
export declare function createSubsystemLogger(subsystem: string): SubsystemLogger;

/** A logger whose lines carry the plugin's id and what stands here. */
export declare function getChildLogger(bindings?: Readonly<Record<string, unknown>>): SubsystemLogger;

/** A folder for tokens of the plugin's own. */
export declare function resolveOAuthDir(): string;

/** A folder of the plugin's own, outside the workspace. Upstream gives one folder to all plugins. */
export declare function resolveStateDir(): string;

/** A folder for temporary files, of the plugin's own; it exists. */
export declare function resolvePreferredOpenClawTmpDir(): string;

export interface PluginCommandRunOptions {
  /** The program and its arguments; no shell reads them. */
  readonly argv: readonly string[];
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface PluginCommandRunResult {
  /** Exit code; 1 where the program could not start or was ended. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program; never rejects: what went wrong stands in `stderr`. */
export declare function runPluginCommandWithTimeout(
  options: PluginCommandRunOptions,
): Promise<PluginCommandRunResult>;

export interface DiagnosticEvent {
  readonly type: string;
  readonly ts: number;
  readonly seq: number;
  readonly [field: string]: unknown;
}

/** Listens to the host's diagnostic events; the return value stops it. */
export declare function onDiagnosticEvent(listener: (event: DiagnosticEvent) => void): () => void;

export interface AgentEvent {
  readonly runId: string;
  readonly stream: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly sessionKey?: string;
}

/** Tells the listeners of agent events something. */
export declare function emitAgentEvent(event: AgentEvent): void;

/** Listens to agent events; the return value stops it. */
export declare function onAgentEvent(listener: (event: AgentEvent) => void): () => void;

/** The entry of a channel whose parts are files beside it, each loaded when it is needed. */
export declare function defineBundledChannelEntry(options: BundledChannelEntryOptions): ChannelEntry;

/** The entry of such a channel for its setup alone. */
export declare function defineBundledChannelSetupEntry(
  options: BundledChannelSetupEntryOptions,
): ChannelSetupEntry;

/** One export of a file beside the entry. @throws Error where there is no such file or export */
export declare function loadBundledEntryExportSync(importMetaUrl: string, reference: EntryModuleRef): unknown;

/** A text without the secrets of the plugin's settings, and without what looks like one. */
export declare function redactToolPayloadText(text: string): string;

/** One value of that name for all modules of the plugin, as long as it is loaded. Upstream has one for the whole process. */
export declare function resolveGlobalSingleton<T>(key: symbol | string, create: () => T): T;

/** The same for a map. */
export declare function resolveGlobalMap<K, V>(key: symbol | string): Map<K, V>;

/** Where a message goes, as the host routes it, and a maker of the line that names its sender. */
export declare function resolveChannelInboundRouteEnvelope(params: {
  readonly channel: string;
  readonly accountId: string;
  readonly peer: { readonly kind: string; readonly id: string };
  readonly [more: string]: unknown;
}): {
  readonly route: Readonly<Record<string, unknown>>;
  readonly buildEnvelope: (message: Readonly<Record<string, unknown>>) => string;
};
