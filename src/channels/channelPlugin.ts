// What of upstream's `ChannelPlugin` is used here. All of it comes from a plugin: each member may be missing, throw or lie.
import { isRecord } from '../base/json.ts';

/** Upstream's configuration, as the plugin sees it. */
export type Cfg = Readonly<Record<string, unknown>>;

interface InAccount {
  readonly cfg: Cfg;
  readonly accountId?: string | null;
}

/** Who asks for the rules of a group. */
export interface GroupContext extends InAccount {
  readonly groupId?: string;
  readonly senderId?: string;
  readonly senderName?: string;
}

/** One message on its way out. */
interface OutboundContext extends InAccount {
  readonly to: string;
  readonly text: string;
  readonly mediaUrl?: string;
  readonly mediaLocalRoots?: readonly string[];
  readonly replyToId?: string | null;
  readonly threadId?: string | number | null;
  readonly signal?: AbortSignal;
}

/** Upstream's snapshot of an account; a plugin sets what it knows. */
export interface AccountSnapshot {
  readonly accountId: string;
  readonly [field: string]: unknown;
}

/** What `gateway.startAccount` gets. */
export interface GatewayContext {
  readonly cfg: Cfg;
  readonly accountId: string;
  readonly account: unknown;
  readonly runtime: {
    readonly log: (...args: readonly unknown[]) => void;
    readonly error: (...args: readonly unknown[]) => void;
    readonly exit: (code: number) => void;
  };
  readonly abortSignal: AbortSignal;
  readonly log: Readonly<Record<'info' | 'warn' | 'error' | 'debug', (message: string) => void>>;
  readonly getStatus: () => AccountSnapshot;
  readonly setStatus: (next: AccountSnapshot) => void;
  readonly invalidateDirectoryCache: () => void;
  /** `api.runtime.channel`. */
  readonly channelRuntime: unknown;
}

export interface ChannelPlugin {
  readonly id: string;
  readonly meta?: { readonly label?: string };
  readonly config?: {
    listAccountIds?(cfg: Cfg): unknown;
    resolveAccount?(cfg: Cfg, accountId?: string | null): unknown;
    isEnabled?(account: unknown, cfg: Cfg): unknown;
    disabledReason?(account: unknown, cfg: Cfg): unknown;
    isConfigured?(account: unknown, cfg: Cfg): unknown;
    unconfiguredReason?(account: unknown, cfg: Cfg): unknown;
    resolveAllowFrom?(params: InAccount): unknown;
  };
  readonly gateway?: {
    startAccount?(context: GatewayContext): unknown;
    stopAccount?(context: GatewayContext): unknown;
  };
  readonly outbound?: {
    readonly textChunkLimit?: number;
    sendText?(context: OutboundContext): unknown;
    sendMedia?(context: OutboundContext): unknown;
  };
  readonly security?: {
    resolveDmPolicy?(context: InAccount & { readonly account: unknown }): unknown;
  };
  readonly pairing?: {
    readonly idLabel?: string;
    normalizeAllowEntry?(entry: string): unknown;
    notifyApproval?(params: InAccount & { readonly id: string }): unknown;
  };
  readonly groups?: {
    resolveRequireMention?(context: GroupContext): unknown;
    resolveToolPolicy?(context: GroupContext): unknown;
  };
  readonly messaging?: { normalizeTarget?(raw: string): unknown };
  readonly heartbeat?: {
    sendTyping?(
      params: InAccount & { readonly to: string; readonly threadId?: string | number | null },
    ): unknown;
  };
}

/** A channel of a loaded plugin. */
export interface ChannelEntry {
  readonly pluginId: string;
  readonly plugin: ChannelPlugin;
  /** False for a plugin of the workspace: its channel is listed and never runs. */
  readonly mayRun: boolean;
  /** The configuration as the plugin sees it now, its own channels with their secrets. */
  readonly cfg: () => Cfg;
  /** Calls the plugin's own code. */
  readonly call: <T>(what: string, work: () => T) => T;
  /** `api.runtime.channel` of this plugin. */
  readonly runtime: () => unknown;
  /** Takes the secrets of the plugin's settings out of a text. */
  readonly redact: (text: string) => string;
}

const idPattern = /^[a-z0-9][a-z0-9_-]{0,31}$/u;

/** The plugin as it was registered, directly or as `plugin`; undefined where it has no usable id. Pure. */
export function readChannelPlugin(registration: unknown): ChannelPlugin | undefined {
  const given =
    isRecord(registration) && isRecord(registration['plugin']) ? registration['plugin'] : registration;
  if (!isRecord(given) || typeof given['id'] !== 'string') return undefined;
  // Members are looked up when they are called: plugins build them as classes and getters, too.
  return idPattern.test(given['id']) ? (given as unknown as ChannelPlugin) : undefined;
}

/** As people know it. Pure. */
export function labelOf({ id, meta }: ChannelPlugin): string {
  return typeof meta?.label === 'string' && meta.label.trim() !== '' ? meta.label.trim() : id;
}
