import { raceAbort, throwIfAborted } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import type { CompactionConfig } from '../../config/sections/agentSection.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { AgentMessage, AssistantMessage } from '../../contracts/message.ts';
import type { Model, ModelInfo, ModelRef } from '../../contracts/model.ts';
import type { ToolDefinition } from '../../contracts/tool.ts';
import type { SessionUse } from '../../contracts/usage.ts';
import type { HookRunner } from '../../hooks/hookRunner.ts';
import type { Clock, Log } from '../../host/ports.ts';
import type { Session } from '../../sessions/session.ts';
import type { RunTracer } from '../../traces/createRunTraces.ts';
import {
  type CompactionResult,
  compactSession,
  type CompactSessionDeps,
  type CompactSessionInput,
} from './compactSession.ts';
import { createCompactionSignals, type CompactionEventPort } from './compactionSignals.ts';
import type { EngineCompactionRequest, OpenedEngine } from './openedEngine.ts';
import { isWholeCount } from './correctEstimate.ts';
import { createUsageMeter } from './createUsageMeter.ts';
import { formatTokens } from './describeUse.ts';
import { estimateMessages, estimateTokens, estimateTools, estimateMessage } from './estimateTokens.ts';
import { keepPart, planBudget } from './planBudget.ts';
import type { SummaryProvider } from './writeSummary.ts';

/** The request that is about to go out. */
export interface ContextRequest {
  readonly runId: string;
  readonly model: Model;
  readonly systemPrompt: string;
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly AgentMessage[];
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEvent) => void;
  /** Done once before the conversation is shortened, while the model still reads all of it; absent, nothing is. Rejects only with `cancelled`. */
  readonly beforeCompaction?: () => Promise<void>;
  /** The context engine of the turn, which makes room first; absent, there is none. */
  readonly engine?: OpenedEngine | undefined;
}

/**
 * Keeps one session within the window of its model, and counts what it uses. The transcript only grows: a compaction is one
 * more line, and a failed one leaves no trace in it.
 */
export interface ContextManager {
  /**
   * Before each model call. Compacts the session where the request leaves too little room for an answer; after `compacted` the
   * caller reads `session.messages()` again. `force`: the model has just refused the request as too long. Rejects only with
   * `cancelled`.
   */
  makeRoom(request: ContextRequest, force?: boolean): Promise<CompactionResult['status']>;
  /** After each model answer: what the server counted, else an estimate. */
  noteAnswer(model: ModelInfo, request: ContextRequest, answer: AssistantMessage): void;
  /** A turn begins: `turn` of `use` counts from here. */
  beginTurn(): void;
  use(model: ModelInfo): SessionUse;
  /** Tokens that a prompt for this model may have before it is compacted. */
  promptBudget(model: ModelInfo): number;
  /** The user's own wish; `instructions` say what the summary must keep. Rejects only with `cancelled`. */
  compact(options: {
    readonly model: Model;
    readonly instructions?: string;
    readonly signal: AbortSignal;
  }): Promise<CompactionResult>;
}

export interface ContextManagerDeps {
  readonly session: Session;
  readonly hooks: HookRunner;
  /** As it is now; asked at each request. */
  readonly config: () => CompactionConfig;
  readonly clock: Clock;
  readonly log: Log;
  /** By `provider/model`; undefined where there is none. */
  readonly findModel: (name: string) => Model | undefined;
  /** A plugin's provider of that id; absent, there are no plugins. */
  readonly findProvider?: (id: string) => SummaryProvider | undefined;
  /** A plugin's context engine for a compaction outside of turns; absent, there are no plugins. */
  readonly openEngine?: () => OpenedEngine | undefined;
  /** What the user should know beyond the turn; absent, nobody hears it. */
  readonly report?: (diagnostic: Diagnostic) => void;
  /** Takes secrets out of a text. */
  readonly redact?: (text: string) => string;
  /** A summary as plugins that judge answers left it; rejects where one stops it. Absent, nobody judges. */
  readonly judge?: CompactSessionDeps['judge'];
  /** Operator hooks; absent, there are none. */
  readonly internal?: CompactionEventPort;
  /** Keeps what happens in runs; absent, nobody does. */
  readonly traces?: Pick<RunTracer, 'step'>;
  /** What plugins see as the channel. */
  readonly surface?: string;
}

/** After a failed compaction the next one waits until the request has grown by this part. */
const growthAfterFailure = 1.1;

/** For one session; one compaction runs at a time. */
export function createContextManager(deps: ContextManagerDeps): ContextManager {
  const { session, clock, log } = deps;
  const redact = deps.redact ?? ((text: string) => text);
  const sizeOf = createMessageSizes();
  const promptBudget = (model: ModelInfo): number =>
    deps.config().enabled ? planBudget(model, deps.config(), 0).compactAt : model.contextWindow;
  const signals = createCompactionSignals({ ...deps, promptBudget });
  const meter = createUsageMeter({ session, sizeOf, costOf: (ref) => costOf(deps, ref) });
  let queue: Promise<unknown> = Promise.resolve();
  let failedAt: number | undefined;
  let isToldOfCut = false;
  /** Since the last compaction. */
  let isPrepared = false;
  /** The compaction that the running turn knows of. */
  let known = lastCompaction(session);

  const run = async (
    input: Omit<CompactSessionInput, 'model'>,
    model: Model,
    provider?: SummaryProvider,
  ): Promise<CompactionResult> => {
    const writer = summaryModel(deps, model);
    const startedAt = clock.monotonic();
    const result = await compactSession(
      {
        session,
        clock,
        signals,
        sizeOf,
        redact,
        provider: provider ?? summaryProvider(deps, writer),
        onProviderFailed: (error) => reportProvider(deps, errorMessage(error), writer),
        judge: deps.judge,
      },
      { ...input, model: writer },
    );
    const durationMs = clock.monotonic() - startedAt;
    if (result.status === 'compacted') meter.noteCompaction(result.entry);
    if (result.status === 'failed') {
      log.write('warn', `The conversation could not be compacted: ${redact(result.because.message)}`);
    }
    if (input.runId !== undefined && result.status !== 'nothing') {
      deps.traces?.step(input.runId, { ...stepOf(result), startedAt, durationMs });
    }
    return result;
  };
  /** The engine comes first; what it leaves to the host, and what it fails at, the host does. `remade`: what it gives is less now. */
  const runBy = async (
    engine: OpenedEngine | undefined,
    input: Omit<CompactSessionInput, 'model'>,
    model: Model,
    asked: Pick<EngineCompactionRequest, 'currentTokens' | 'force'>,
  ): Promise<CompactionResult | { readonly status: 'remade' }> => {
    const { instructions, signal } = input;
    const made = await engine?.compact({
      ...asked,
      model: model.info,
      tokenBudget: promptBudget(model.info),
      instructions,
      signal,
      delegate: () => run(input, model),
    });
    switch (made?.outcome) {
      case undefined:
        return await run(input, model);
      case 'summary':
        return await run(input, model, givenSummary(engine, made.text));
      case 'delegated':
        return made.result;
      case 'nothing':
        return { status: 'nothing', reason: `${engine?.name ?? ''} made no room: ${made.reason}` };
      case 'own':
        return { status: 'remade' };
    }
  };
  /** One after the other; what waits can be cancelled. */
  const inTurn = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    throwIfAborted(signal);
    const mine = queue.then(async () => {
      throwIfAborted(signal);
      return await work();
    });
    // The caller hears of a failure; the queue only keeps the order.
    queue = mine.catch(() => undefined);
    return await raceAbort(mine, signal);
  };

  const makeRoomNow = async (
    request: ContextRequest,
    force: boolean,
  ): Promise<CompactionResult['status']> => {
    if (lastCompaction(session) !== known) {
      // The user had it compacted while the turn ran.
      known = lastCompaction(session);
      return 'compacted';
    }
    const config = deps.config();
    if (!config.enabled) return 'nothing';
    const sizes = sizesOf(request, sizeOf);
    const tokens = meter.estimate(request.model.info, sizes.total);
    const budget = planBudget(request.model.info, config, sizes.fixed);
    if (!force && (tokens < budget.compactAt || tokens < (failedAt ?? 0) * growthAfterFailure))
      return 'nothing';
    // One that the server has just refused as too long can't be read once more.
    if (!force && !isPrepared) {
      isPrepared = true;
      await request.beforeCompaction?.();
    }
    const result = await runBy(
      request.engine,
      {
        // The server reads less than its window says.
        budget: force ? keepPart(budget, sizes.messages, 0.5) : budget,
        by: 'auto',
        runId: request.runId,
        instructions: undefined,
        signal: request.signal,
        onStart: () => request.emit({ type: 'compaction_started' }),
      },
      request.model,
      { currentTokens: tokens, force },
    );
    known = lastCompaction(session);
    // An engine that gives as much as before is not asked before each call.
    failedAt = result.status === 'failed' || result.status === 'remade' ? tokens : undefined;
    if (result.status === 'remade') return 'compacted';
    if (result.status === 'failed') request.emit({ type: 'compaction_failed', because: result.because });
    if (result.status === 'compacted') {
      isPrepared = false;
      request.emit({ type: 'compaction_ended', entry: result.entry });
      request.emit({ type: 'usage', use: useOf(request.model.info) });
    }
    return result.status;
  };
  const useOf = (model: ModelInfo) => meter.use(model, planBudget(model, deps.config(), 0).compactAt);

  return {
    makeRoom: (request, force = false) => inTurn(request.signal, () => makeRoomNow(request, force)),
    noteAnswer(model, request, answer) {
      const sizes = sizesOf(request, sizeOf);
      meter.noteAnswer(model, sizes, answer);
      const text = isToldOfCut ? undefined : describeSilentCut(model.name, sizes.total, answer.usage?.input);
      if (text === undefined) return;
      isToldOfCut = true;
      request.emit({ type: 'notice', text });
    },
    beginTurn() {
      known = lastCompaction(session);
      meter.beginTurn();
    },
    use: useOf,
    promptBudget,
    compact: ({ model, instructions, signal }) =>
      inTurn(signal, async () => {
        const budget = planBudget(model.info, deps.config(), meter.fixed());
        const total = estimateMessages(session.messages(), sizeOf);
        const engine = deps.openEngine?.();
        try {
          const result = await runBy(
            engine,
            {
              budget: keepPart(budget, total, 0.25),
              by: 'user',
              runId: undefined,
              instructions,
              signal,
              onStart: () => undefined,
            },
            model,
            { currentTokens: meter.fixed() + total, force: true },
          );
          const reason = `${engine?.name ?? ''} keeps the conversation by itself, and has made room.`;
          return result.status === 'remade' ? { status: 'nothing', reason } : result;
        } finally {
          await engine?.close();
        }
      }),
  };
}

/** A summary that is there already; the model writes one where it saves nothing. */
function givenSummary(engine: OpenedEngine | undefined, text: string): SummaryProvider {
  const problem = `${engine?.name ?? ''} gave a text too long for a summary.`;
  return {
    summarize: ({ fits }) =>
      fits(text) ? Promise.resolve(text) : Promise.reject(new PincerError('plugin_provider_failed', problem)),
  };
}

/** Tokens of a request, estimated. */
interface RequestSizes {
  /** System prompt and tools. */
  readonly fixed: number;
  readonly messages: number;
  readonly total: number;
}

function sizesOf(request: ContextRequest, sizeOf: (message: AgentMessage) => number): RequestSizes {
  const fixed = estimateTokens(request.systemPrompt) + estimateTools(request.tools);
  const messages = estimateMessages(request.messages, sizeOf);
  return { fixed, messages, total: fixed + messages };
}

/** What the config names, else the model of the turn. */
function summaryModel({ config, findModel, log }: ContextManagerDeps, model: Model): Model {
  const name = config().model;
  if (name === undefined) return model;
  const found = findModel(name);
  if (found === undefined)
    log.write(
      'warn',
      `agent.compaction.model: there is no model ${name}; ${model.info.name} writes the summary.`,
    );
  return found ?? model;
}

/** What the config names to be asked before the model. */
function summaryProvider(deps: ContextManagerDeps, writer: Model): SummaryProvider | undefined {
  const id = deps.config().provider;
  if (id === undefined) return undefined;
  const found = deps.findProvider?.(id);
  if (found === undefined) {
    const missing = `No plugin that runs has registered the compaction provider "${inertLine(id, 80)}".`;
    reportProvider(deps, missing, writer);
  }
  return found;
}

function reportProvider({ report }: ContextManagerDeps, problem: string, writer: Model): void {
  report?.({
    level: 'warn',
    code: 'compaction_provider_failed',
    message: `${problem} ${writer.info.name} writes the summary.`,
    hint: 'Look at the plugin, or change agent.compaction.provider in your config.',
  });
}

function costOf({ findModel }: ContextManagerDeps, { provider, model }: ModelRef) {
  return findModel(`${provider}/${model}`)?.info.cost;
}

function lastCompaction(session: Session): string | undefined {
  return session.entries().findLast((entry) => entry.type === 'compaction')?.id;
}

function stepOf(result: Exclude<CompactionResult, { readonly status: 'nothing' }>) {
  if (result.status === 'failed')
    return { kind: 'compaction', outcome: 'failed', error: result.because.message } as const;
  const { tokensBefore, tokensAfter } = result.entry;
  return { kind: 'compaction', outcome: 'compacted', tokensBefore, tokensAfter } as const;
}

/** Estimates each message once: messages never change, and a conversation is read again for every request. */
function createMessageSizes(): (message: AgentMessage) => number {
  const sizes = new WeakMap<AgentMessage, number>();
  return (message) => {
    const known = sizes.get(message);
    if (known !== undefined) return known;
    const size = estimateMessage(message);
    sizes.set(message, size);
    return size;
  };
}

/** Below this an estimate may be far off by itself. */
const leastTokens = 2_000;

/**
 * What people should know where a server has read much less than it was sent: local servers cut a long request in silence, and
 * the model forgets its tools. Undefined where it read all of it, or did not count. Pure.
 */
function describeSilentCut(
  modelName: string,
  estimated: number,
  counted: number | undefined,
): string | undefined {
  if (counted === undefined || counted === 0) return undefined;
  if (estimated < leastTokens || isWholeCount(counted, estimated)) return undefined;
  return (
    `${modelName} says that it read ${formatTokens(counted)} of about ${formatTokens(estimated)} tokens. ` +
    "Its server may cut long requests: raise the server's context length, or lower contextWindow of the model in your config."
  );
}
