import type { HandlerContext, HandlerEvent, HookName, HookResult } from '../../hooks/hookTypes.ts';

/** What a function gives that returns nothing. */
type NoReturn = ReturnType<() => void>;

type MaybeNothing = null | undefined | NoReturn;

/** Handlers may be async, except for the two hooks that run while a message is stored. */
export type PluginHookHandler<N extends HookName> = (
  event: HandlerEvent<N>,
  context: HandlerContext<N>,
) => HookResult<N> | MaybeNothing | Promise<HookResult<N> | MaybeNothing>;

export interface PluginHookOptions {
  /** Higher runs first; default 0. */
  readonly priority?: number;
  /** Milliseconds, at most 600 000. */
  readonly timeoutMs?: number;
}

/** An internal event such as `command:new`, as `registerHook` and `HOOK.md` scripts get it. */
export interface InternalHookEvent {
  readonly type: string;
  readonly action: string;
  readonly sessionKey: string;
  readonly timestamp: Date;
  readonly context: Readonly<Record<string, unknown>>;
  /** What is pushed here is shown to the user. */
  readonly messages: string[];
}

export type InternalHookHandler = (event: InternalHookEvent) => unknown;

export interface InternalHookOptions {
  readonly name?: string;
  readonly description?: string;
  readonly priority?: number;
}

/** Names, events, contexts and results of hooks, by upstream's names. */
export type PluginHookName = HookName;
export type PluginHookHandlerMap = { readonly [N in HookName]: PluginHookHandler<N> };
export type PluginHookEvent<N extends HookName> = HandlerEvent<N>;
export type PluginHookContext<N extends HookName> = HandlerContext<N>;
export type PluginHookResult<N extends HookName> = HookResult<N>;
export type PluginHookBeforeToolCallEvent = HandlerEvent<'before_tool_call'>;
export type PluginHookBeforeToolCallResult = HookResult<'before_tool_call'>;
export type PluginHookAfterToolCallEvent = HandlerEvent<'after_tool_call'>;
export type PluginHookToolContext = HandlerContext<'before_tool_call'>;
export type PluginHookAgentContext = HandlerContext<'agent_end'>;
export type PluginHookAgentEndEvent = HandlerEvent<'agent_end'>;
export type PluginHookBeforePromptBuildEvent = HandlerEvent<'before_prompt_build'>;
export type PluginHookBeforePromptBuildResult = HookResult<'before_prompt_build'>;
export type PluginHookBeforeAgentStartEvent = HandlerEvent<'before_agent_start'>;
export type PluginHookBeforeAgentStartResult = HookResult<'before_agent_start'>;
export type PluginHookMessageContext = HandlerContext<'message_received'>;
export type PluginHookMessageReceivedEvent = HandlerEvent<'message_received'>;
export type PluginHookMessageSendingEvent = HandlerEvent<'message_sending'>;
export type PluginHookMessageSendingResult = HookResult<'message_sending'>;
export type PluginHookMessageSentEvent = HandlerEvent<'message_sent'>;
export type PluginHookToolResultPersistEvent = HandlerEvent<'tool_result_persist'>;
export type PluginHookToolResultPersistResult = HookResult<'tool_result_persist'>;
export type PluginHookSessionContext = HandlerContext<'session_start'>;
export type PluginHookSessionStartEvent = HandlerEvent<'session_start'>;
export type PluginHookSessionEndEvent = HandlerEvent<'session_end'>;
export type PluginHookGatewayContext = HandlerContext<'gateway_start'>;
