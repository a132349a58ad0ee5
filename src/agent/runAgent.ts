import { isShutdown } from '../base/abort.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import type { AgentEvent, RunOutcome } from '../contracts/agentEvent.ts';
import type {
  AgentMessage,
  AssistantMessage,
  ImagePart,
  TextPart,
  UserMessage,
} from '../contracts/message.ts';
import type { Model, ModelRef } from '../contracts/model.ts';
import type { ToolDefinition } from '../contracts/tool.ts';
import type { HookOutcome } from '../hooks/hookTypes.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { Clock, Log } from '../host/ports.ts';
import type { QueuedInjection } from '../sessions/pluginSessionState.ts';
import type { Session } from '../sessions/session.ts';
import type { ToolPipeline } from '../tools/createToolPipeline.ts';
import type { RunTracer } from '../traces/createRunTraces.ts';
import type { InternalEventPort } from './internalEventPort.ts';
import { createModelHooks, type ModelHooks } from './modelHooks.ts';
import { createOutputHooks, type OutputHooks } from './outputHooks.ts';
import { createPromptHooks, type PromptHooks } from './promptHooks.ts';
import { runLoop, type LoopOutcome, type LoopPorts } from './runLoop.ts';
import { createRunScope, type RunScope } from './runScope.ts';
import { textOf } from './textOf.ts';

export interface RunDeps {
  readonly hooks: HookRunner;
  /** The tools of a run and the pipeline behind them; asked once, when its model stands, and then fixed (seed 000 §2). */
  toolsFor(model: ModelRef): RunToolSet;
  /** Finds the model a plugin asked for; undefined where there is none. */
  findModel(choice: { readonly provider: string; readonly model: string }): Model | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Keeps what happens in the run; absent, nobody does. */
  readonly traces?: RunTracer;
  /** Operator hooks; absent, there are none. */
  readonly internal?: InternalEventPort;
}

export interface RunToolSet {
  readonly tools: readonly ToolDefinition[];
  readonly pipeline: ToolPipeline;
}

export interface RunInput {
  readonly session: Session;
  /** What the user wrote. */
  readonly prompt: string;
  /** What the user attached: files, selections, images. */
  readonly attachments: readonly (TextPart | ImagePart)[];
  readonly model: Model;
  readonly systemPrompt: string;
  readonly maxRounds: number;
  /** The surface: `vscode` or `cli`. */
  readonly surface: string;
  readonly workspaceDir: string | undefined;
  readonly signal: AbortSignal;
  /** Takes what plugins queued for this turn out of the queue; absent, nothing was. */
  readonly takeInjections?: () => Promise<readonly QueuedInjection[]>;
  /** Must not throw. */
  readonly emit: (event: AgentEvent) => void;
}

export interface RunHandle {
  readonly runId: string;
  /** Never rejects. The transcript is complete when it resolves. */
  readonly outcome: Promise<RunOutcome>;
  /** Resolves when the observers that nobody waited for (`agent_end`, `message_sent` …) are done too. */
  readonly settled: Promise<void>;
}

/**
 * One turn, from the user's message to the stored answer, in the order of rulings H9. Every failure becomes an outcome, and
 * whatever happens, the transcript stays one that any model accepts.
 */
export function runAgent(deps: RunDeps, input: RunInput): RunHandle {
  const scope = createRunScope(deps, input, crypto.randomUUID());
  const turn: Turn = {
    deps,
    input,
    scope,
    started: deps.clock.monotonic(),
    ...createPromptHooks(scope),
    ...createModelHooks(scope),
    ...createOutputHooks(scope),
  };
  const { runId } = scope;
  deps.traces?.begin({ runId, sessionKey: input.session.key });
  const outcome = runTurn(turn);
  const settled = outcome.then(() => scope.settled()).finally(() => deps.traces?.settle(runId));
  return { runId, outcome, settled };
}

/** Everything the stages of one turn share. */
interface Turn extends PromptHooks, ModelHooks, OutputHooks {
  readonly deps: RunDeps;
  readonly input: RunInput;
  readonly scope: RunScope;
  /** By the clock that only grows. */
  readonly started: number;
}

const turnStates = {
  completed: 'completed',
  blocked: 'completed',
  yielded: 'completed',
  cancelled: 'cancelled',
  failed: 'failed',
} as const;

async function runTurn(turn: Turn): Promise<RunOutcome> {
  const { deps, input, scope } = turn;
  const { runId } = scope;
  let outcome: RunOutcome;
  try {
    await input.session.markTurn(runId, 'started');
    outcome = await runStages(turn);
  } catch (error) {
    outcome = input.signal.aborted ? { status: 'cancelled' } : failed(error);
    if (outcome.status === 'failed') deps.log.write('error', `Run ${runId} failed: ${outcome.message}`);
  }
  try {
    // A turn that ended with the window stays open in the transcript, so that it can be resumed.
    if (!isShutdown(input.signal)) await input.session.markTurn(runId, turnStates[outcome.status]);
  } catch (error) {
    deps.log.write('error', `The end of run ${runId} could not be stored: ${errorMessage(error)}`);
  }
  deps.traces?.end(runId, endOf(outcome));
  input.emit({ type: 'run_ended', runId, outcome });
  return outcome;
}

async function runStages(turn: Turn): Promise<RunOutcome> {
  const { deps, input, scope } = turn;
  const history = input.session.messages();
  scope.trace({ kind: 'message', outcome: 'received' });
  turn.messageReceived();
  const choice = await turn.beforeModelResolve();
  scope.model = chooseModel(turn, choice).info;
  const prepared = await turn.preparePrompt(history);
  const model = chooseModel(turn, { ...prepared.choice, ...choice });
  scope.model = model.info;
  const toolSet = deps.toolsFor(model.info);
  scope.tools = toolSet.tools;
  input.emit({ type: 'run_started', runId: scope.runId, model: model.info });

  const gate = await turn.beforeAgentRun(history, prepared.systemPrompt);
  if (gate.outcome === 'block') {
    // The replacement is all that remains of what the user wrote (rulings H12).
    await turn.store(userMessage(deps, [{ type: 'text', text: gate.message }]));
    scope.trace({ kind: 'message', outcome: 'replaced' });
    turn.agentEnd({ success: false, error: 'blocked', durationMs: elapsed(turn) });
    return { status: 'blocked', pluginId: gate.pluginId, text: gate.message };
  }

  const own = await turn.store(
    userMessage(deps, [{ type: 'text', text: input.prompt }, ...input.attachments]),
  );
  const reply = await turn.beforeAgentReply();
  if (reply !== undefined) {
    if (reply.text !== '') turn.showText(reply.text);
    return await conclude(turn, {
      status: 'completed',
      final: syntheticAnswer(turn, reply.text),
      messages: history,
    });
  }
  const asked = userMessage(deps, [...prepared.before, ...own.content, ...prepared.after]);
  return await conclude(turn, await answer(turn, model, toolSet, prepared.systemPrompt, [...history, asked]));
}

/** The loop, again for each revision that a plugin asks for. Only the last answer is shown and stored. */
async function answer(
  turn: Turn,
  model: Model,
  toolSet: RunToolSet,
  systemPrompt: string,
  asked: readonly AgentMessage[],
): Promise<LoopOutcome> {
  let messages = asked;
  for (;;) {
    const loop = await runLoop(
      { ...turn.input, model, tools: toolSet.tools, systemPrompt, messages },
      loopPorts(turn, toolSet, systemPrompt),
    );
    if (loop.status !== 'completed') return loop;
    const candidate = [...loop.messages, loop.final];
    const revision = await turn.beforeFinalize(loop.final, candidate);
    if (revision === undefined) return loop;
    messages = [...candidate, userMessage(turn.deps, [{ type: 'text', text: revision, isContext: true }])];
  }
}

function loopPorts(turn: Turn, { pipeline }: RunToolSet, systemPrompt: string): LoopPorts {
  const { deps, input, scope } = turn;
  return {
    beforeModel: (messages) => turn.beforeModel(systemPrompt, messages),
    onText: (text) => turn.showText(text),
    afterModel: (message, error) => turn.afterModel(message, error),
    store: async (message) => {
      const shown = await turn.releaseText(message);
      input.emit({ type: 'message', message: shown });
      return await turn.store(shown);
    },
    callTool: async (call) => {
      const context = {
        sessionKey: input.session.key,
        sessionId: input.session.id,
        runId: scope.runId,
        agentId: scope.agentId,
        signal: input.signal,
        emit: input.emit,
        inBackground: (work: Promise<void>) => scope.inBackground(work),
      };
      return await turn.store(await pipeline.call(call, context));
    },
    now: () => deps.clock.now(),
  };
}

async function conclude(turn: Turn, loop: LoopOutcome): Promise<RunOutcome> {
  if (loop.status === 'completed') {
    turn.agentEnd({ success: true, durationMs: elapsed(turn) }, loop.final);
    return { status: 'completed', text: await deliver(turn, loop.final) };
  }
  if ('partial' in loop && loop.partial !== undefined && !turn.holdsText()) await turn.store(loop.partial);
  const outcome = unfinished(turn, loop);
  const error = outcome.status === 'failed' ? outcome.message : 'cancelled';
  turn.agentEnd({ success: false, error, durationMs: elapsed(turn) });
  return outcome;
}

/** Output hooks decide what is shown and stored (rulings D4). Gives back the text that the user sees. */
async function deliver(turn: Turn, final: AssistantMessage): Promise<string> {
  const message = await turn.releaseText(final);
  turn.input.emit({ type: 'message', message });
  await turn.store(message);
  const text = textOf(message);
  turn.scope.trace({ kind: 'message', outcome: 'delivered' });
  turn.messageSent(text);
  return text;
}

function unfinished(turn: Turn, loop: Exclude<LoopOutcome, { status: 'completed' }>): RunOutcome {
  if (loop.status === 'cancelled') return { status: 'cancelled' };
  if (loop.status === 'failed') return failed(loop.error);
  return {
    status: 'failed',
    code: 'round_limit',
    message: `Stopped after ${String(turn.input.maxRounds)} model answers without a final one.`,
    hint: 'Send "continue" to go on, or raise agent.maxRounds in your config.',
  };
}

function chooseModel(turn: Turn, choice: HookOutcome<'before_model_resolve'>): Model {
  const { deps, input } = turn;
  if (choice.modelOverride === undefined && choice.providerOverride === undefined) return input.model;
  const provider = choice.providerOverride ?? input.model.info.provider;
  const model = choice.modelOverride ?? input.model.info.model;
  const found = deps.findModel({ provider, model });
  if (found !== undefined) return found;
  throw new PincerError(
    'model_unknown',
    `A plugin asked for the model ${provider}/${model}, which is not configured.`,
    {
      hint: 'Add the model with Pincer: Add Model, or disable the plugin.',
    },
  );
}

function failed(error: unknown): Extract<RunOutcome, { status: 'failed' }> {
  const hint = error instanceof PincerError ? error.hint : undefined;
  return {
    status: 'failed',
    code: error instanceof PincerError ? error.code : 'internal',
    message: errorMessage(error),
    ...(hint === undefined ? {} : { hint }),
  };
}

/** What the trace keeps of an outcome: no text of the conversation. */
function endOf(outcome: RunOutcome): Parameters<RunTracer['end']>[1] {
  if (outcome.status === 'blocked') return { status: 'blocked', blockedBy: outcome.pluginId };
  if (outcome.status === 'failed') return { status: 'failed', error: outcome.message };
  return { status: outcome.status === 'yielded' ? 'completed' : outcome.status };
}

function userMessage(deps: RunDeps, content: UserMessage['content']): UserMessage {
  return { role: 'user', content, timestamp: deps.clock.now() };
}

/** A plugin's reply, as if the model had said it. */
function syntheticAnswer(turn: Turn, text: string): AssistantMessage {
  const { provider, model } = turn.scope.model;
  const timestamp = turn.deps.clock.now();
  return {
    role: 'assistant',
    content: [{ type: 'text', text }],
    provider,
    model,
    stopReason: 'stop',
    timestamp,
  };
}

/** Milliseconds since the turn began. */
function elapsed(turn: Turn): number {
  return turn.deps.clock.monotonic() - turn.started;
}
