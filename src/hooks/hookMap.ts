import type { AgentHooks } from './payloads/agentHooks.ts';
import type { LifecycleHooks, SessionHooks, SubagentHooks } from './payloads/lifecycleHooks.ts';
import type { MessageHooks } from './payloads/messageHooks.ts';
import type { ToolHooks } from './payloads/toolHooks.ts';

/**
 * Every hook a plugin can listen to: its kind, event, context, what a handler may return, and what the emitter gets
 * (OpenClaw hooks; field names are upstream's). `hookCatalog` holds one value row for each name here.
 */
export interface HookMap
  extends AgentHooks, ToolHooks, MessageHooks, SessionHooks, SubagentHooks, LifecycleHooks {}

export type HookName = keyof HookMap;

/** The event as a handler sees it: a copy of its own, with its plugin's configuration. */
export type HandlerEvent<N extends HookName> = HookMap[N]['event'] & {
  readonly context: { readonly pluginConfig: Readonly<Record<string, unknown>> };
};

/**
 * The context as a handler sees it. `abortSignal` fires on timeout and when the run is cancelled; it is not enumerable, so
 * that a plugin may copy or serialise its context.
 */
export type HandlerContext<N extends HookName> = HookMap[N]['context'] & {
  readonly abortSignal: AbortSignal;
};

type Awaitable<N extends HookName, T> = HookMap[N]['kind'] extends 'sync' ? T : T | PromiseLike<T>;

/** `null` and `undefined` are no decision, except in a gate, where only a decision counts. */
export type HookHandler<N extends HookName> = (
  event: HandlerEvent<N>,
  context: HandlerContext<N>,
) => Awaitable<N, HookMap[N]['result'] | null | undefined>;
