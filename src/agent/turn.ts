import type { TurnLimits } from '../config/sections/agentSection.ts';
import type { AgentEvent, RunOutcome } from '../contracts/agentEvent.ts';
import type { ImagePart, TextPart, TokenUsage, UserMessage } from '../contracts/message.ts';
import type { Model, ModelInfo, ModelRef, ModelRequest, ModelSettings } from '../contracts/model.ts';
import type { PromptPart } from '../contracts/promptReport.ts';
import type { Tenant } from '../contracts/tenant.ts';
import type { ToolDefinition, ToolOwner } from '../contracts/tool.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { ModelCallEndedEvent, ModelCallStartedEvent } from '../hooks/payloads/agentHooks.ts';
import type { AgentHookContext, MessageHookContext } from '../hooks/payloads/hookContexts.ts';
import type { PointContext } from '../hooks/payloads/pointHooks.ts';
import type { Clock, Log } from '../host/ports.ts';
import type { Inbox } from '../sessions/createInbox.ts';
import type { WaitingInjections } from '../sessions/pluginSessionState.ts';
import type { Session } from '../sessions/session.ts';
import type { ToolPipeline } from '../tools/createToolPipeline.ts';
import type { CallingTurn } from '../tools/pipeline/callStages.ts';
import type { RunTracer } from '../traces/createRunTraces.ts';
import type { StepFacts } from '../traces/runTrace.ts';
import { contextWindowOf, type ContextWindowFacts } from './context/contextWindowOf.ts';
import type { ContextManager } from './context/createContextManager.ts';
import type { OpenedEngine } from './context/openedEngine.ts';
import { createTurnMeter, type TurnMeter } from './createTurnMeter.ts';
import type { RemoteTurn } from './remoteTurn.ts';
import type { SharedBudget } from './sharedBudget.ts';
import type { PromptReports } from './prompt/buildPromptReport.ts';
import { createTurnMessages, type TurnMessages } from './turnMessages.ts';

export interface RunInput {
  readonly session: Session;
  /** What the user wrote. */
  readonly prompt: string;
  /** What the user attached: files, selections, images. */
  readonly attachments: readonly (TextPart | ImagePart)[];
  readonly model: Model;
  /** What the model is asked for: temperature, length, thinking. */
  readonly settings?: ModelSettings;
  /** On whose behalf the turn runs; absent, nobody's in particular. */
  readonly tenant?: Tenant;
  /** The system prompt before plugins have a say. */
  readonly promptParts: readonly PromptPart[];
  /** What the turn may use. */
  readonly limits: TurnLimits;
  /** What it may use together with what has started it, and with what it starts; absent, nothing is shared. */
  readonly budget?: SharedBudget | undefined;
  /** What the user says while the turn runs; absent, nothing. */
  readonly inbox?: Pick<Inbox, 'take' | 'settle' | 'release'>;
  /** Keeps the conversation within the window; absent, nobody does. */
  readonly context?: ContextManager;
  /** A plugin's engine that says what the model reads of the history; absent, there is none. */
  readonly engine?: OpenedEngine | undefined;
  /** What the memory plugin wants done before the conversation is shortened; undefined where that is nothing. Must not throw. */
  readonly flush?: ((model: ModelInfo) => MemoryFlush | undefined) | undefined;
  /** True once the surface has something new from the user: the turn ends at the next steering point. */
  readonly shouldYield?: () => boolean;
  /** Gets the raw stream of each model call; must not throw. */
  readonly onRaw?: (chunk: string) => void;
  /** Hears of each request to a model, as it begins and once it has ended; must not throw. */
  readonly onModelCall?: (event: ModelCallEvent) => void;
  /** The run that started this one; absent, a person did. */
  readonly trace?: ParentTrace;
  /** Who began the turn, as hooks are told; default `user`. */
  readonly trigger?: 'user' | 'subagent' | 'cron' | 'heartbeat';
  /** The scheduled job that it is a run of. */
  readonly jobId?: string;
  /** There where a message of a channel began it. */
  readonly remote?: RemoteTurn;
  /** The surface: `vscode` or `cli`. */
  readonly surface: string;
  readonly workspaceDir: string | undefined;
  readonly signal: AbortSignal;
  /** What plugins queued for the next turn whose prompt reaches a model; absent, nothing was. */
  readonly waitingInjections?: () => Promise<WaitingInjections>;
  /** Keeps what the model got, for people; absent, nobody does. */
  readonly reports?: Pick<PromptReports, 'keep' | 'noteCounted'>;
  /** Must not throw. */
  readonly emit: (event: AgentEvent) => void;
}

/** A request to a model begins, or has `ended`. */
export interface ModelCallEvent {
  /** As hooks are told it. */
  readonly call: ModelCallStartedEvent;
  readonly prompt: Pick<ModelRequest, 'systemPrompt' | 'messages' | 'tools'>;
  readonly ended?: Omit<ModelCallEndedEvent, keyof ModelCallStartedEvent> & {
    readonly usage: TokenUsage | undefined;
  };
}

/** What the user said: what hooks are told, what is stored, and what the model reads. */
export interface UserWords {
  readonly text: string;
  /** Files, selections and images beside it. */
  readonly attachments: readonly (TextPart | ImagePart)[];
}

export interface RunHandle {
  readonly runId: string;
  /** For the runs that this one starts: `childTrace(handle.trace)`. */
  readonly trace: RunTraceIds;
  /** For questions of the runs that this one starts: its own time stands while they wait. Must not throw. */
  readonly emit: (event: AgentEvent) => void;
  /** Never rejects. The transcript is complete when it resolves. */
  readonly outcome: Promise<RunOutcome>;
  /** Resolves when the observers that nobody waited for (`agent_end`, `message_sent` …) are done too. */
  readonly settled: Promise<void>;
}

export interface RunDeps {
  readonly hooks: HookRunner;
  /**
   * The tools of a run and the pipeline behind them; asked once, when its model stands, and then fixed (OpenClaw plugin
   * architecture, Message Processing to LLM Invocation).
   */
  toolsFor(model: ModelRef): RunToolSet;
  /** Finds the model a plugin asked for; undefined where there is none. */
  findModel(choice: { readonly provider: string; readonly model: string }): Model | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Takes keys out of the system prompt and what plugins add to it; messages lose theirs when they are stored. Absent, nothing is taken out. */
  readonly redact?: (text: string) => string;
  /** Keeps what happens in the run; absent, nobody does. */
  readonly traces?: RunTracer;
  /** Operator hooks; absent, there are none. */
  readonly internal?: InternalEventPort;
}

/** Tells operator hooks of what happens in a run. Ask `has` before gathering a context. */
interface InternalEventPort {
  has(type: 'message', action: string): boolean;
  /** Never rejects. */
  emit(
    type: 'message',
    action: string,
    facts: { readonly sessionKey: string; readonly context: Record<string, unknown> },
  ): Promise<unknown>;
}

export interface RunToolSet {
  /** As they are for the next request: what the model has found meanwhile is among them. */
  readonly tools: readonly (ToolDefinition & { readonly owner: ToolOwner; readonly savesTokens?: number })[];
  readonly pipeline: ToolPipeline;
}

/** What the memory plugin wants the model asked for before a conversation is shortened (OpenClaw documentation, Memory flush). */
export interface MemoryFlush {
  readonly prompt: string;
  /** Stands behind the turn's system prompt. */
  readonly systemPrompt: string;
  /** Answers in place of the turn's model. */
  readonly model: Model | undefined;
  /** The tool that adds to the planned file, and what carries out its calls; none where a rule forbids it. */
  readonly toolSet: RunToolSet;
}

/**
 * One turn, as its stages and hooks share it: who asks, what it has used and said so far, what handlers are told of it, and the work
 * nobody waits for.
 */
export interface AgentTurn extends CallingTurn {
  readonly traceIds: RunTraceIds;
  readonly deps: RunDeps;
  /** As it was given, but for `signal`, which also aborts when the time is over, and `emit`, which the meter hears. */
  readonly input: RunInput;
  /** Aborts when the user, the window or whoever started the turn cancels it. */
  readonly cancelled: AbortSignal;
  readonly meter: TurnMeter;
  readonly conversation: TurnMessages;
  /** By the monotonic clock. */
  readonly started: number;
  readonly hooks: HookRunner;
  readonly clock: Clock;
  /** Takes keys out of what is not stored. */
  readonly redact: (text: string) => string;
  /** What began the turn; a plugin may change it before anything else reads it. */
  words: UserWords;
  /** Of the words that are read now: the id of their entry in the transcript. */
  messageId: string;
  /** The model of this run; a plugin may change it before the first call, and another one may stand in for it. */
  model: ModelInfo;
  /** None before the model stands. */
  tools: readonly ToolDefinition[];
  agentContext(): AgentHookContext;
  /** What its model may read, as hooks are told it. */
  contextWindow(): ContextWindowFacts;
  messageContext(messageId: string | undefined): MessageHookContext;
  /** For what passes payloads from handler to handler. */
  pointContext(): PointContext;
  /** Writes what has just ended into the run's trace; `startedAt` by the monotonic clock, default now. */
  trace(step: StepFacts, startedAt?: number): void;
  /** Lets observers run on while the turn goes ahead. */
  inBackground(work: Promise<void>): void;
  /** Tells operator hooks of a message; nobody waits for them. */
  tellInternal(action: string, context: Record<string, unknown>): void;
  /** Resolves when all of that is done. */
  settled(): Promise<void>;
}

export function createTurn(deps: RunDeps, given: RunInput, runId: string): AgentTurn {
  const meter = createTurnMeter(deps.clock, given.limits, given.budget);
  const input: RunInput = {
    ...given,
    signal: AbortSignal.any([given.signal, meter.signal]),
    emit(event: AgentEvent) {
      meter.noteEvent(event);
      given.emit(event);
    },
  };
  const background = new Set<Promise<void>>();
  const { agentId } = input.session;
  const traceIds = createTraceIds(input.trace);
  const trace = traceOf(traceIds);
  const turn: AgentTurn = {
    runId,
    agentId,
    channelId: input.remote?.channel ?? input.surface,
    sessionId: input.session.id,
    sessionKey: input.session.key,
    ...(input.tenant === undefined ? {} : { tenant: input.tenant }),
    ...(input.settings === undefined ? {} : { settings: input.settings }),
    ...(input.jobId === undefined ? {} : { jobId: input.jobId }),
    signal: input.signal,
    emit: input.emit,
    traceContext: trace,
    traceIds,
    deps,
    input,
    cancelled: given.signal,
    meter,
    conversation: createTurnMessages(input.session),
    started: deps.clock.monotonic(),
    hooks: deps.hooks,
    clock: deps.clock,
    redact: deps.redact ?? ((text) => text),
    words: { text: input.prompt, attachments: input.attachments },
    messageId: crypto.randomUUID(),
    model: input.model.info,
    tools: [],
    agentContext: () => ({
      runId,
      ...(input.jobId === undefined ? {} : { jobId: input.jobId }),
      agentId,
      trace,
      sessionKey: input.session.key,
      sessionId: input.session.id,
      modelProviderId: turn.model.provider,
      modelId: turn.model.model,
      messageProvider: input.remote?.channel ?? input.surface,
      trigger: input.trigger ?? 'user',
      channelId: input.remote?.conversationId ?? input.surface,
      ...turn.contextWindow(),
      ...(input.workspaceDir === undefined ? {} : { workspaceDir: input.workspaceDir }),
    }),
    contextWindow: () => contextWindowOf(turn.model, input.context?.promptBudget(turn.model)),
    messageContext: (messageId) => ({
      channelId: input.surface,
      ...(messageId === undefined ? {} : { messageId }),
      conversationId: input.session.id,
      senderId: 'user',
      ...remoteContext(input.remote),
      sessionKey: input.session.key,
      runId,
      trace,
      ...traceIds,
    }),
    pointContext: () => ({
      runId,
      sessionId: input.session.id,
      sessionKey: input.session.key,
      agentId,
      model: turn.model,
      ...(input.tenant === undefined ? {} : { tenant: input.tenant }),
      ...(input.settings === undefined ? {} : { settings: input.settings }),
    }),
    trace(step, startedAt) {
      const now = deps.clock.monotonic();
      const since = startedAt ?? now;
      deps.traces?.step(runId, { ...step, startedAt: since, durationMs: now - since });
    },
    inBackground(work) {
      background.add(work);
      void work.finally(() => background.delete(work));
    },
    tellInternal(action, context) {
      if (deps.internal?.has('message', action) !== true) return;
      const where = {
        channelId: input.surface,
        conversationId: input.session.id,
        ...remoteContext(input.remote),
      };
      const facts = { sessionKey: input.session.key, context: { ...context, ...where } };
      turn.inBackground(deps.internal.emit('message', action, facts).then(() => undefined));
    },
    async settled() {
      await Promise.all(background);
    },
  };
  return turn;
}

/** Where a message of a channel came from, as hooks are told. */
function remoteContext(remote: RemoteTurn | undefined): Partial<MessageHookContext> {
  if (remote === undefined) return {};
  const { channel, accountId, conversationId, senderId, messageId } = remote;
  return { channelId: channel, accountId, conversationId, senderId, messageId };
}

/** The words as a message holds them. */
export function contentOf({ text, attachments }: UserWords): UserMessage['content'] {
  return [{ type: 'text', text }, ...attachments];
}

/** A message of the user, or one that stands for the user. */
export function userMessage(
  { clock }: AgentTurn,
  content: UserMessage['content'],
  origin: Pick<UserMessage, 'via' | 'inboxId' | 'blocked'> = {},
): UserMessage {
  return { role: 'user', content, ...origin, timestamp: clock.now() };
}

/** What the transcript keeps of a block: never why, and nothing of what was blocked. */
export function blockOf({
  pluginId,
  category,
}: {
  readonly pluginId: string;
  readonly category?: string;
}): Pick<UserMessage, 'blocked'> {
  return category === undefined ? {} : { blocked: { by: pluginId, category } };
}

/** Ids of one run in a tree of runs, of the lengths that W3C trace contexts have. Field names are upstream's. */
export interface RunTraceIds {
  /** 32 hex digits; the same in every run that a run starts. */
  readonly traceId: string;
  /** 16 hex digits, of this run alone. */
  readonly spanId: string;
  /** The run that started this one. */
  readonly parentSpanId?: string;
  /** 0 for a run that a person began, one more for each that an agent started in between. */
  readonly callDepth: number;
}

/** What a run that starts another one hands on. */
export interface ParentTrace {
  readonly traceId: string;
  readonly parentSpanId: string;
  /** Of the new run. */
  readonly callDepth: number;
}

export function createTraceIds(parent?: ParentTrace): RunTraceIds {
  const spanId = hexDigits().slice(0, 16);
  return parent === undefined ? { traceId: hexDigits(), spanId, callDepth: 0 } : { ...parent, spanId };
}

/** For `RunInput.trace` of a run that this one starts. Pure. */
export function childTrace({ traceId, spanId, callDepth }: RunTraceIds): ParentTrace {
  return { traceId, parentSpanId: spanId, callDepth: callDepth + 1 };
}

/** `ctx.trace` of the hooks; frozen, since all handlers of the turn get the same. Pure. */
function traceOf({ traceId, spanId, parentSpanId }: RunTraceIds): {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
} {
  return Object.freeze({ traceId, spanId, ...(parentSpanId === undefined ? {} : { parentSpanId }) });
}

/** 32 random digits; never all zero, since a UUID says its version. */
function hexDigits(): string {
  return crypto.randomUUID().replaceAll('-', '');
}
