import type { HandlerContext, HandlerEvent } from '../../hooks/hookMap.ts';
import type { Json } from '../../contracts/jsonTypes.ts';

/** Why something is cleaned up. */
export type PluginCleanupReason = 'reset' | 'delete' | 'disable' | 'restart';

export interface PluginCleanupContext {
  readonly reason: PluginCleanupReason;
  /** Absent where the plugin as a whole ends. */
  readonly sessionKey?: string;
}

/** State of the plugin's own that is stored with each session, as JSON. */
export interface PluginSessionExtension {
  readonly namespace: string;
  readonly description: string;
  /** What others see of the stored value; must not return a promise. */
  project?(context: {
    readonly sessionKey: string;
    readonly sessionId?: string;
    readonly state: Json | undefined;
  }): Json | undefined;
  cleanup?(context: PluginCleanupContext): unknown;
}

/** Stores what a plugin keeps of a session under one of its namespaces, or removes it with `unset`. */
export interface PluginSessionExtensionPatch {
  readonly sessionKey: string;
  readonly namespace: string;
  readonly value?: Json;
  readonly unset?: boolean;
}

/** Notes of a plugin about one run; gone when that ends. */
export interface PluginRunContextMethods {
  /** Sets a value, or removes it with `unset`; false where the run is over. */
  setRunContext(patch: {
    readonly runId: string;
    readonly namespace: string;
    readonly value?: Json;
    readonly unset?: boolean;
  }): boolean;
  getRunContext(params: { readonly runId: string; readonly namespace: string }): Json | undefined;
  /** Without a namespace: all of the plugin's. */
  clearRunContext(params: { readonly runId: string; readonly namespace?: string }): void;
}

/** A turn of a session at a later time: at `at`, after `delayMs`, or again and again by `cron`. */
export interface PluginSessionTurnSchedule {
  readonly sessionKey: string;
  /** What the agent is told then. */
  readonly message: string;
  readonly at?: string | number | Date;
  readonly delayMs?: number;
  readonly cron?: string;
  /** Time zone of `cron`. */
  readonly tz?: string;
  readonly name?: string;
  /** For `unscheduleSessionTurnsByTag`. */
  readonly tag?: string;
  /** Default true for a turn that comes once. */
  readonly deleteAfterRun?: boolean;
}

export interface PluginSessionTurnHandle {
  readonly id: string;
  readonly pluginId: string;
  readonly sessionKey: string;
  readonly kind: string;
}

/** Text that the next turn of one session starts or ends with; used once. */
export interface PluginNextTurnInjection {
  readonly sessionKey: string;
  /** At most 32 KiB. */
  readonly text: string;
  readonly placement?: 'prepend_context' | 'append_context';
  /** The same key again enqueues nothing; at most 512 characters. */
  readonly idempotencyKey?: string;
  readonly ttlMs?: number;
}

export interface PluginNextTurnInjectionResult {
  readonly enqueued: boolean;
  readonly id: string;
  readonly sessionKey: string;
}

/** Something that a person starts on one session. */
export interface PluginSessionAction {
  readonly id: string;
  readonly description?: string;
  /** JSON Schema (draft-07) of the payload. */
  readonly schema?: Json;
  handler(context: {
    readonly pluginId: string;
    readonly actionId: string;
    readonly sessionKey?: string;
    readonly agentId?: string;
    readonly payload?: Json;
    readonly client?: { readonly scopes: readonly string[] };
  }): PluginSessionActionResult | undefined | Promise<PluginSessionActionResult | undefined>;
}

export type PluginSessionActionResult =
  | { readonly ok?: true; readonly result?: Json; readonly reply?: Json }
  | { readonly ok: false; readonly error: string; readonly code?: string };

/** Lets go of what a plugin holds beyond its registrations. */
export interface PluginRuntimeLifecycle {
  readonly id: string;
  readonly description?: string;
  cleanup(context: PluginCleanupContext): unknown;
}

/** A host policy that judges tool calls before every hook. Bundled plugins only. */
export interface PluginTrustedToolPolicy {
  readonly id: string;
  readonly description: string;
  /** `allow: false` or `block: true` stops the call; `params` replaces all of them. */
  evaluate(
    event: HandlerEvent<'before_tool_call'>,
    context: HandlerContext<'before_tool_call'>,
  ): PluginToolPolicyDecision | null | undefined | Promise<PluginToolPolicyDecision | null | undefined>;
}

export interface PluginToolPolicyDecision {
  readonly allow?: boolean;
  readonly reason?: string;
  readonly block?: boolean;
  readonly blockReason?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly requireApproval?: object;
}
