import { isShutdown } from '../base/abort.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import type { RunOutcome } from '../contracts/agentEvent.ts';
import type { AssistantMessage, UserMessage } from '../contracts/message.ts';
import type { Model } from '../contracts/model.ts';
import type { HookOutcome } from '../hooks/hookTypes.ts';
import type { RunTracer } from '../traces/createRunTraces.ts';
import { createModelHooks } from './answer.ts';
import {
  budgetOf,
  createInbound,
  createLoopPorts,
  type HookedTurn,
  type LoopParts,
} from './createLoopPorts.ts';
import type { LimitReached } from './createTurnMeter.ts';
import { createOutputHooks, type ReleasedAnswer } from './outputHooks.ts';
import { buildPromptReport } from './prompt/buildPromptReport.ts';
import { createPromptHooks } from './promptHooks.ts';
import { runLoop, type LoopOutcome } from './runLoop.ts';
import {
  blockOf,
  contentOf,
  createTurn,
  userMessage,
  type RunDeps,
  type RunHandle,
  type RunInput,
} from './turn.ts';

/**
 * One turn, from the user's message to the stored answer. Every failure becomes an outcome, and
 * whatever happens, the transcript stays one that any model accepts.
 */
export function runAgent(deps: RunDeps, given: RunInput): RunHandle {
  const begun = createTurn(deps, given, crypto.randomUUID());
  const turn = Object.assign(
    begun,
    createPromptHooks(begun),
    createModelHooks(begun),
    createOutputHooks(begun),
  );
  const { runId, input, traceIds: trace } = turn;
  const { key: sessionKey, id: sessionId } = input.session;
  deps.traces?.begin({ runId, sessionKey, sessionId });
  const outcome = runTurn(turn);
  const settled = outcome.then(() => turn.settled()).finally(() => deps.traces?.settle(runId));
  return { runId, trace, emit: input.emit, outcome, settled };
}

/** What the transcript says of a turn that ended so. */
const turnStates = {
  completed: 'completed',
  blocked: 'completed',
  yielded: 'completed',
  cancelled: 'cancelled',
  failed: 'failed',
} as const;

async function runTurn(turn: HookedTurn): Promise<RunOutcome> {
  const { deps, input, runId } = turn;
  let outcome: RunOutcome;
  try {
    input.session.beginTurn(runId);
    input.context?.beginTurn();
    outcome = await runStages(turn);
  } catch (error) {
    outcome = input.signal.aborted ? stoppedOutcome(turn) : failed(error);
    // Plugins that heard the turn begin hear its end, wherever it broke off.
    tellUnfinished(turn, outcome);
    if (outcome.status === 'failed') deps.log.write('error', `Run ${runId} failed: ${outcome.message}`);
  }
  turn.meter.dispose();
  turn.inBackground(leaveEngine(turn, outcome));
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

/** The context engine takes up a turn that came to its end, and is let go in any case. */
async function leaveEngine(turn: HookedTurn, outcome: RunOutcome): Promise<void> {
  const { runId, input, conversation, model } = turn;
  const said = conversation
    .own()
    .flatMap(({ message, entryId }) => (entryId === undefined ? [] : [{ message, entryId }]));
  if (outcome.status === 'completed')
    await input.engine?.takeUp({
      runId,
      model,
      history: conversation.history(),
      said,
      tokenBudget: budgetOf(turn),
    });
  await input.engine?.close();
}

async function runStages(turn: HookedTurn): Promise<RunOutcome> {
  const { deps, input, conversation } = turn;
  const history = conversation.all();
  turn.trace({ kind: 'message', outcome: 'received' });
  turn.messageReceived(turn.words, turn.messageId);
  const verdict = await turn.beforeRequest(turn.words);
  if (verdict.outcome === 'blocked') {
    const { pluginId, message: text, httpStatus, code, replacement } = verdict;
    await replaceWords(turn, replacement);
    return { status: 'blocked', pluginId, text, httpStatus, code };
  }
  turn.words = verdict.words;
  const choice = await turn.beforeModelResolve();
  turn.model = chooseModel(turn, choice).info;
  const prepared = await turn.preparePrompt(history);
  const model = chooseModel(turn, { ...prepared.choice, ...choice });
  turn.model = model.info;
  const toolSet = deps.toolsFor(model.info);
  turn.tools = toolSet.tools;
  input.emit({ type: 'run_started', runId: turn.runId, model: model.info });

  const gate = await turn.beforeAgentRun(history, prepared.systemPrompt);
  if (gate.outcome === 'block') {
    const { pluginId, message: text, category, metadata } = gate;
    await replaceWords(turn, text, blockOf(gate));
    return {
      status: 'blocked',
      pluginId,
      text,
      ...(category === undefined ? {} : { category }),
      ...(metadata === undefined ? {} : { metadata }),
    };
  }

  const said = userMessage(turn, contentOf(turn.words));
  // The disk and the model take their time together; nothing of the answer counts before the message is safe.
  const { message: own, entryId, saved } = turn.put(said, turn.messageId);
  // However the turn ends, it settles after the disk.
  turn.inBackground(saved.catch(() => undefined));
  const reply = await turn.beforeAgentReply();
  if (reply !== undefined) {
    await saved;
    if (reply.text !== '') turn.showText(reply.text);
    return await conclude(turn, { status: 'completed', final: syntheticAnswer(turn, reply.text) });
  }
  input.reports?.keep(
    buildPromptReport({
      runId: turn.runId,
      sessionId: input.session.id,
      model: model.info,
      at: deps.clock.now(),
      parts: prepared.parts,
      tools: toolSet.tools,
      messages: [...history, own],
    }),
  );
  const content = [...prepared.before, ...own.content, ...prepared.after];
  conversation.add({ message: { ...own, content }, entryId });
  return await answer(turn, {
    model,
    toolSet,
    systemPrompt: prepared.systemPrompt,
    saved,
    wasRead: prepared.consumeInjections,
  });
}

/** The replacement is all that remains of what the user wrote. */
async function replaceWords(
  turn: HookedTurn,
  replacement: string,
  origin: Pick<UserMessage, 'blocked'> = {},
): Promise<void> {
  const message = userMessage(turn, [{ type: 'text', text: replacement }], origin);
  await turn.store(message, turn.messageId);
  turn.trace({ kind: 'message', outcome: 'replaced' });
  turn.agentEnd({ success: false, error: 'blocked', durationMs: elapsed(turn) });
}

async function answer(turn: HookedTurn, parts: Omit<LoopParts, 'inbound' | 'deliver'>): Promise<RunOutcome> {
  const inbound = createInbound(turn, parts.systemPrompt);
  const deliverAndGoOn = async (final: AssistantMessage): Promise<void> => {
    await deliver(turn, final);
  };
  try {
    const ports = createLoopPorts(turn, { ...parts, inbound, deliver: deliverAndGoOn });
    return await conclude(turn, await runLoop(ports));
  } finally {
    inbound.close();
  }
}

async function conclude(turn: HookedTurn, loop: LoopOutcome): Promise<RunOutcome> {
  if (loop.status === 'completed') {
    turn.agentEnd({ success: true, durationMs: elapsed(turn) }, loop.final);
    const { shown, stoppedBy } = await deliver(turn, loop.final);
    return { status: 'completed', text: shown, ...(stoppedBy === undefined ? {} : { stoppedBy }) };
  }
  if ('partial' in loop && loop.partial !== undefined && !turn.holdsText()) await turn.store(loop.partial);
  const outcome = unfinished(turn, loop);
  tellUnfinished(turn, outcome);
  return outcome;
}

/** `agent_end` of a turn without a final answer. */
function tellUnfinished(turn: HookedTurn, outcome: RunOutcome): void {
  const success = outcome.status === 'yielded';
  const error = outcome.status === 'failed' ? outcome.message : 'cancelled';
  turn.agentEnd({ success, ...(success ? {} : { error }), durationMs: elapsed(turn) });
}

/** Output hooks decide what is shown and stored. */
async function deliver(turn: HookedTurn, final: AssistantMessage): Promise<ReleasedAnswer> {
  const released = await turn.releaseText(final);
  turn.input.emit({ type: 'message', message: released.message });
  const stored = await turn.store(released.message);
  turn.conversation.add(stored);
  turn.trace({ kind: 'message', outcome: released.withheldBy === undefined ? 'delivered' : 'withheld' });
  turn.messageSent(released, stored.entryId);
  return released;
}

function unfinished(turn: HookedTurn, loop: Exclude<LoopOutcome, { status: 'completed' }>): RunOutcome {
  switch (loop.status) {
    case 'cancelled':
      return stoppedOutcome(turn);
    case 'failed':
      return failed(loop.error);
    case 'limit':
      return limitOutcome(loop.limit);
    case 'yielded':
      return loop;
  }
}

/** How a turn ended that was stopped in the middle: by somebody, or because its time was over. */
function stoppedOutcome({ cancelled, meter }: HookedTurn): RunOutcome {
  return cancelled.aborted ? { status: 'cancelled' } : limitOutcome(meter.timeLimit());
}

function limitOutcome({ code, message, hint }: LimitReached): RunOutcome {
  return { status: 'failed', code, message, hint };
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

function chooseModel(turn: HookedTurn, choice: HookOutcome<'before_model_resolve'>): Model {
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
      hint: 'Add the model with Pincer: Add Model…, or disable the plugin.',
    },
  );
}

/** A plugin's reply, as if the model had said it. */
function syntheticAnswer(turn: HookedTurn, text: string): AssistantMessage {
  const { provider, model } = turn.model;
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
function elapsed(turn: HookedTurn): number {
  return turn.deps.clock.monotonic() - turn.started;
}
