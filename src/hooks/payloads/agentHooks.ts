import type { AgentMessage, AssistantMessage, TokenUsage } from '../../contracts/message.ts';
import type { ToolDefinition } from '../../contracts/tool.ts';
import type { AgentHookContext, ContextWindowSource } from './hookContexts.ts';
import type { Claim, Gate, Modify, Observe } from './hookShape.ts';

/** Hooks of one agent run, in the order a run meets them. */
export interface AgentHooks {
  before_model_resolve: Modify<BeforeModelResolveEvent, AgentHookContext, ModelChoice, ModelChoice>;
  agent_turn_prepare: Modify<AgentTurnPrepareEvent, AgentHookContext, TurnContext, TurnContext>;
  before_prompt_build: Modify<BeforePromptBuildEvent, AgentHookContext, PromptChange, PromptChange>;
  before_agent_start: Modify<
    BeforeAgentStartEvent,
    AgentHookContext,
    PromptChange & ModelChoice,
    PromptChange & ModelChoice
  >;
  heartbeat_prompt_contribution: Modify<HeartbeatEvent, AgentHookContext, TurnContext, TurnContext>;
  before_agent_run: Gate<BeforeAgentRunEvent, AgentHookContext, BeforeAgentRunResult, BeforeAgentRunOutcome>;
  before_agent_reply: Claim<
    BeforeAgentReplyEvent,
    AgentHookContext,
    BeforeAgentReplyResult,
    BeforeAgentReplyOutcome
  >;
  model_call_started: Observe<ModelCallStartedEvent, AgentHookContext>;
  model_call_ended: Observe<ModelCallEndedEvent, AgentHookContext>;
  llm_input: Observe<LlmInputEvent, AgentHookContext>;
  llm_output: Observe<LlmOutputEvent, AgentHookContext>;
  before_agent_finalize: Modify<
    BeforeAgentFinalizeEvent,
    AgentHookContext,
    BeforeAgentFinalizeResult,
    BeforeAgentFinalizeOutcome
  >;
  agent_end: Observe<AgentEndEvent, AgentHookContext>;
}

interface BeforeModelResolveEvent {
  readonly prompt: string;
  readonly attachments?: readonly {
    readonly kind: 'image' | 'video' | 'audio' | 'document' | 'other';
    readonly mimeType?: string;
  }[];
}

/** The first handler that names a model or a provider wins, each field for itself. */
interface ModelChoice {
  readonly modelOverride?: string;
  readonly providerOverride?: string;
}

interface AgentTurnPrepareEvent {
  readonly prompt: string;
  readonly messages: readonly AgentMessage[];
  readonly queuedInjections: readonly {
    readonly id: string;
    readonly pluginId: string;
    readonly text: string;
    readonly placement: 'prepend_context' | 'append_context';
    /** Milliseconds since the epoch. */
    readonly createdAt: number;
    readonly idempotencyKey?: string;
    readonly ttlMs?: number;
    readonly metadata?: unknown;
  }[];
}

interface HeartbeatEvent {
  readonly sessionKey?: string;
  readonly agentId?: string;
  readonly heartbeatName?: string;
}

/** Texts of several handlers are joined by an empty line, in handler order. */
interface TurnContext {
  readonly prependContext?: string;
  readonly appendContext?: string;
}

interface BeforePromptBuildEvent {
  readonly prompt: string;
  readonly messages: readonly AgentMessage[];
}

/** The first `systemPrompt` replaces the host's; the contexts of all handlers are joined. */
export interface PromptChange extends TurnContext {
  readonly systemPrompt?: string;
  readonly prependSystemContext?: string;
  readonly appendSystemContext?: string;
}

interface BeforeAgentStartEvent {
  readonly prompt: string;
  readonly messages?: readonly AgentMessage[];
  readonly runId?: string;
}

interface BeforeAgentRunEvent {
  readonly prompt: string;
  readonly messages: readonly AgentMessage[];
  readonly systemPrompt: string;
  readonly accountId?: string;
  readonly channelId?: string;
  readonly senderId?: string;
  readonly senderIsOwner?: boolean;
}

type BeforeAgentRunResult =
  | { readonly outcome: 'pass' }
  | {
      readonly outcome: 'block';
      /** Internal: never stored, shown or logged. */
      readonly reason: string;
      readonly message?: string;
      readonly category?: string;
      readonly metadata?: Readonly<Record<string, unknown>>;
    };

/** `message` is the whole text that takes the place of what the user wrote, in the transcript and on screen. */
export type BeforeAgentRunOutcome =
  | { readonly outcome: 'pass' }
  | ({ readonly outcome: 'block'; readonly pluginId: string; readonly message: string } & BlockFacts);

/** What a gate says of its block beside the reason. */
export interface BlockFacts {
  readonly category?: string;
  /** JSON-compatible; what is not is dropped. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

interface BeforeAgentReplyEvent {
  readonly cleanedBody: string;
}

interface BeforeAgentReplyResult {
  readonly handled: boolean;
  readonly reply?: unknown;
  readonly reason?: string;
}

export interface BeforeAgentReplyOutcome {
  readonly pluginId: string;
  /** Absent: the plugin wants silence. */
  readonly reply?: unknown;
  readonly reason?: string;
}

export interface ModelCallStartedEvent {
  readonly runId: string;
  readonly callId: string;
  readonly sessionId?: string;
  readonly sessionKey?: string;
  readonly provider: string;
  readonly model: string;
  readonly api?: string;
  readonly transport?: string;
  readonly contextTokenBudget?: number;
  readonly contextWindowSource?: ContextWindowSource;
  readonly contextWindowReferenceTokens?: number;
}

export interface ModelCallEndedEvent extends ModelCallStartedEvent {
  readonly durationMs: number;
  readonly outcome: 'completed' | 'error';
  readonly errorCategory?: string;
  readonly failureKind?: 'aborted' | 'connection_closed' | 'connection_reset' | 'terminated' | 'timeout';
  /** SHA-256 of the server's own name of the request. */
  readonly upstreamRequestIdHash?: string;
}

interface LlmInputEvent {
  readonly runId: string;
  readonly sessionId: string;
  readonly provider: string;
  readonly model: string;
  readonly systemPrompt?: string;
  readonly prompt: string;
  readonly historyMessages: readonly AgentMessage[];
  readonly imagesCount: number;
  readonly tools?: readonly ToolDefinition[];
}

interface LlmOutputEvent {
  readonly runId: string;
  readonly sessionId: string;
  readonly provider: string;
  readonly model: string;
  readonly resolvedRef?: string;
  /** Who runs the loop: `pincer`. */
  readonly harnessId?: string;
  readonly prompt?: string;
  readonly assistantTexts: readonly string[];
  readonly lastAssistant?: AssistantMessage;
  readonly usage?: TokenUsage;
  readonly contextTokenBudget?: number;
  readonly contextWindowSource?: ContextWindowSource;
  readonly contextWindowReferenceTokens?: number;
}

export interface BeforeAgentFinalizeEvent {
  readonly runId?: string;
  readonly sessionId: string;
  readonly sessionKey?: string;
  readonly turnId?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly cwd?: string;
  readonly transcriptPath?: string;
  readonly stopHookActive: boolean;
  readonly lastAssistantMessage?: string;
  readonly messages?: readonly AgentMessage[];
}

export interface FinalizeRetry {
  readonly instruction: string;
  readonly idempotencyKey?: string;
  readonly maxAttempts?: number;
}

interface BeforeAgentFinalizeResult {
  readonly action?: 'continue' | 'revise' | 'finalize';
  readonly reason?: string;
  readonly retry?: FinalizeRetry;
}

/** `finalize` beats `revise`, which beats `continue`; the reasons of several revisions are joined by an empty line. */
export type BeforeAgentFinalizeOutcome =
  | { readonly action: 'continue' }
  | { readonly action: 'finalize'; readonly pluginId: string; readonly reason?: string }
  | {
      readonly action: 'revise';
      readonly reason: string;
      readonly retryCandidates: readonly (FinalizeRetry & { readonly pluginId: string })[];
    };

interface AgentEndEvent {
  readonly runId?: string;
  readonly messages: readonly AgentMessage[];
  readonly success: boolean;
  readonly error?: string;
  readonly durationMs?: number;
}
