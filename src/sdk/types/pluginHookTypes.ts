import type { HandlerContext, HandlerEvent, HookMap, HookName } from '../../hooks/hookMap.ts';

/** What a function gives that returns nothing. */
type NoReturn = ReturnType<() => void>;

type MaybeNothing = null | undefined | NoReturn;

/** Handlers may be async, except for the two hooks that run while a message is stored. */
export type PluginHookHandler<N extends HookName> = (
  event: HandlerEvent<N>,
  context: HandlerContext<N>,
) => HookMap[N]['result'] | MaybeNothing | Promise<HookMap[N]['result'] | MaybeNothing>;

export interface PluginHookOptions {
  /** Higher runs first; default 0. */
  readonly priority?: number;
  /** Milliseconds, at most 600 000. */
  readonly timeoutMs?: number;
  /** Of `before_tool_call` and `after_tool_call`: the exact names of the tools that the handler is called for; default all. */
  readonly matcher?: readonly [string, ...string[]];
  /** Of `before_agent_reply`: what began the turns that the handler is called for; default all. */
  readonly eligibleTriggers?: readonly [PluginHookAgentTrigger, ...PluginHookAgentTrigger[]];
  /** Tells one registration of a plugin from the others. */
  readonly registrationId?: string;
}

type PluginHookAgentTrigger = 'cron' | 'heartbeat' | 'user';

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
export type PluginHookResult<N extends HookName> = HookMap[N]['result'];
export type PluginHookBeforeToolCallEvent = HandlerEvent<'before_tool_call'>;
export type PluginHookBeforeToolCallResult = HookMap['before_tool_call']['result'];
export type PluginHookAfterToolCallEvent = HandlerEvent<'after_tool_call'>;
export type PluginHookToolContext = HandlerContext<'before_tool_call'>;
export type PluginHookAgentContext = HandlerContext<'agent_end'>;
export type PluginHookAgentEndEvent = HandlerEvent<'agent_end'>;
export type PluginHookBeforePromptBuildEvent = HandlerEvent<'before_prompt_build'>;
export type PluginHookBeforePromptBuildResult = HookMap['before_prompt_build']['result'];
export type PluginHookBeforeAgentStartEvent = HandlerEvent<'before_agent_start'>;
export type PluginHookBeforeAgentStartResult = HookMap['before_agent_start']['result'];
export type PluginHookMessageContext = HandlerContext<'message_received'>;
export type PluginHookMessageReceivedEvent = HandlerEvent<'message_received'>;
export type PluginHookMessageSendingEvent = HandlerEvent<'message_sending'>;
export type PluginHookMessageSendingResult = HookMap['message_sending']['result'];
export type PluginHookMessageSentEvent = HandlerEvent<'message_sent'>;
export type PluginHookToolResultPersistEvent = HandlerEvent<'tool_result_persist'>;
export type PluginHookToolResultPersistResult = HookMap['tool_result_persist']['result'];
export type PluginHookSessionContext = HandlerContext<'session_start'>;
export type PluginHookSessionStartEvent = HandlerEvent<'session_start'>;
export type PluginHookSessionEndEvent = HandlerEvent<'session_end'>;
export type PluginHookGatewayContext = HandlerContext<'gateway_start'>;
