/** Where a run stands in a distributed trace; ids are those of W3C Trace Context. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId?: string;
  readonly parentSpanId?: string;
  readonly traceFlags?: string;
}

/** What the budget of a prompt was taken from. */
export type ContextWindowSource = 'model' | 'modelsConfig' | 'agentContextTokens' | 'default';

/** Second argument of the hooks of an agent run. Field names are upstream's. */
export interface AgentHookContext {
  readonly runId?: string;
  /** The cron job that started the run. */
  readonly jobId?: string;
  readonly trace?: TraceContext;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly sessionId?: string;
  /** Absolute path of the workspace folder the run works in. */
  readonly workspaceDir?: string;
  readonly modelProviderId?: string;
  readonly modelId?: string;
  /** The surface the message came from: `vscode`, `cli`, or a channel. */
  readonly messageProvider?: string;
  readonly trigger?: string;
  readonly channelId?: string;
  /** Tokens that the prompt may use after every cap. */
  readonly contextTokenBudget?: number;
  readonly contextWindowSource?: ContextWindowSource;
  readonly contextWindowReferenceTokens?: number;
}

/** Second argument of the hooks of one tool call. */
export interface ToolHookContext {
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly sessionId?: string;
  readonly runId?: string;
  readonly jobId?: string;
  readonly trace?: TraceContext;
  readonly toolName: string;
  readonly toolCallId?: string;
  readonly channelId?: string;
  /** Reads the calling plugin's own session state. */
  readonly getSessionExtension?: (namespace: string) => unknown;
}

/** Second argument of the two hooks that run while a message is stored. */
export interface PersistHookContext {
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly toolName?: string;
  readonly toolCallId?: string;
}

/** Second argument of the message hooks. */
export interface MessageHookContext {
  readonly channelId: string;
  readonly accountId?: string;
  readonly conversationId?: string;
  readonly sessionKey?: string;
  readonly runId?: string;
  readonly messageId?: string;
  readonly senderId?: string;
  readonly trace?: TraceContext;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly parentSpanId?: string;
  readonly callDepth?: number;
}

/** Second argument of `channel_pairing_requested`. */
export interface ChannelPairingHookContext {
  readonly channelId: string;
  readonly accountId?: string;
  readonly senderId: string;
}

/** Second argument of `inbound_claim`. */
export interface InboundClaimHookContext extends MessageHookContext {
  readonly parentConversationId?: string;
  readonly pluginBinding?: unknown;
}

/** Second argument of `before_dispatch`. */
export interface DispatchHookContext {
  readonly channelId?: string;
  readonly accountId?: string;
  readonly conversationId?: string;
  readonly sessionKey?: string;
  readonly senderId?: string;
}

/** Second argument of `reply_dispatch`. */
export interface ReplyDispatchHookContext {
  readonly cfg: unknown;
  readonly dispatcher: unknown;
  readonly recordProcessed: (...args: readonly unknown[]) => unknown;
  readonly markIdle: (...args: readonly unknown[]) => unknown;
}

/** Second argument of the session hooks. */
export interface SessionHookContext {
  readonly agentId?: string;
  readonly sessionId: string;
  readonly sessionKey?: string;
}

/** Second argument of the subagent hooks. */
export interface SubagentHookContext {
  readonly runId?: string;
  readonly childSessionKey?: string;
  readonly requesterSessionKey?: string;
}

/** Second argument of the lifecycle hooks. `port` is absent while no gateway runs. */
export interface GatewayHookContext {
  readonly port?: number;
  readonly config?: unknown;
  readonly workspaceDir?: string;
  readonly getCron?: () => unknown;
}

export type InstallTargetType = 'skill' | 'plugin';
export type InstallRequestKind =
  'skill-install' | 'plugin-dir' | 'plugin-archive' | 'plugin-file' | 'plugin-npm' | 'plugin-git';

/** Second argument of `before_install`. */
export interface InstallHookContext {
  readonly targetType: InstallTargetType;
  readonly requestKind: InstallRequestKind;
  readonly origin?: string;
}
