import { isShutdown } from '../base/abort.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import type { AgentEvent, RunOutcome } from '../contracts/agentEvent.ts';
import type { AssistantMessage } from '../contracts/message.ts';
import type { Model } from '../contracts/model.ts';
import type { HookOutcome } from '../hooks/hookTypes.ts';
import { createInbound, createLoopPorts } from './createLoopPorts.ts';
import { createTurnMeter } from './createTurnMeter.ts';
import { createModelHooks } from './modelHooks.ts';
import { createOutputHooks } from './outputHooks.ts';
import { endOf, failed, limitOutcome, stoppedOutcome, turnStates } from './outcomes.ts';
import { buildPromptReport } from './prompt/promptReport.ts';
import { createPromptHooks } from './promptHooks.ts';
import type { RunDeps, RunHandle, RunInput } from './runInput.ts';
import { runLoop, type LoopOutcome } from './runLoop.ts';
import { createRunScope } from './runScope.ts';
import { textOf } from './answer.ts';
import { contentOf, userMessage, type Turn } from './turn.ts';
import { createTurnMessages } from './turnMessages.ts';

export type { RunDeps, RunHandle, RunInput, RunToolSet } from './runInput.ts';

/**
 * One turn, from the user's message to the stored answer. Every failure becomes an outcome, and
 * whatever happens, the transcript stays one that any model accepts.
 */
export function runAgent(deps: RunDeps, given: RunInput): RunHandle {
  const meter = createTurnMeter(deps.clock, given.limits);
  const input: RunInput = {
    ...given,
    signal: AbortSignal.any([given.signal, meter.signal]),
    emit(event: AgentEvent) {
      meter.noteEvent(event);
      given.emit(event);
    },
  };
  const scope = createRunScope(deps, input, crypto.randomUUID());
  const turn: Turn = {
    deps,
    input,
    cancelled: given.signal,
    scope,
    meter,
    conversation: createTurnMessages(input.session),
    started: deps.clock.monotonic(),
    ...createPromptHooks(scope),
    ...createModelHooks(scope),
    ...createOutputHooks(scope),
  };
  const { runId, traceIds: trace } = scope;
  deps.traces?.begin({ runId, sessionKey: input.session.key });
  const outcome = runTurn(turn);
  const settled = outcome.then(() => scope.settled()).finally(() => deps.traces?.settle(runId));
  return { runId, trace, emit: input.emit, outcome, settled };
}

async function runTurn(turn: Turn): Promise<RunOutcome> {
  const { deps, input, scope } = turn;
  const { runId } = scope;
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
  const { deps, input, scope, conversation } = turn;
  const history = conversation.all();
  scope.trace({ kind: 'message', outcome: 'received' });
  turn.messageReceived();
  const verdict = await turn.beforeRequest(scope.words);
  if (verdict.outcome === 'blocked') {
    const { pluginId, message: text, httpStatus, replacement } = verdict;
    await replaceWords(turn, replacement);
    return { status: 'blocked', pluginId, text, httpStatus };
  }
  scope.words = verdict.words;
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
    await replaceWords(turn, gate.message);
    return { status: 'blocked', pluginId: gate.pluginId, text: gate.message };
  }

  const said = userMessage(turn, contentOf(scope.words));
  // The disk and the model take their time together; nothing of the answer counts before the message is safe.
  const { message: own, entryId, saved } = turn.put(said);
  // However the turn ends, it settles after the disk.
  scope.inBackground(saved.catch(() => undefined));
  const reply = await turn.beforeAgentReply();
  if (reply !== undefined) {
    await saved;
    if (reply.text !== '') turn.showText(reply.text);
    return await conclude(turn, { status: 'completed', final: syntheticAnswer(turn, reply.text) });
  }
  input.reports?.keep(
    buildPromptReport({
      runId: scope.runId,
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
  return await answer(turn, { model, toolSet, systemPrompt: prepared.systemPrompt, saved });
}

/** The replacement is all that remains of what the user wrote. */
async function replaceWords(turn: Turn, replacement: string): Promise<void> {
  await turn.store(userMessage(turn, [{ type: 'text', text: replacement }]));
  turn.scope.trace({ kind: 'message', outcome: 'replaced' });
  turn.agentEnd({ success: false, error: 'blocked', durationMs: elapsed(turn) });
}

async function answer(
  turn: Turn,
  parts: Pick<Parameters<typeof createLoopPorts>[1], 'model' | 'toolSet' | 'systemPrompt' | 'saved'>,
): Promise<RunOutcome> {
  const { inbox, session } = turn.input;
  await inbox?.open(session.id);
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

async function conclude(turn: Turn, loop: LoopOutcome): Promise<RunOutcome> {
  if (loop.status === 'completed') {
    turn.agentEnd({ success: true, durationMs: elapsed(turn) }, loop.final);
    return { status: 'completed', text: await deliver(turn, loop.final) };
  }
  if ('partial' in loop && loop.partial !== undefined && !turn.holdsText()) await turn.store(loop.partial);
  const outcome = unfinished(turn, loop);
  tellUnfinished(turn, outcome);
  return outcome;
}

/** `agent_end` of a turn without a final answer. */
function tellUnfinished(turn: Turn, outcome: RunOutcome): void {
  const success = outcome.status === 'yielded';
  const error = outcome.status === 'failed' ? outcome.message : 'cancelled';
  turn.agentEnd({ success, ...(success ? {} : { error }), durationMs: elapsed(turn) });
}

/** Output hooks decide what is shown and stored. Gives back the text that the user sees. */
async function deliver(turn: Turn, final: AssistantMessage): Promise<string> {
  const message = await turn.releaseText(final);
  turn.input.emit({ type: 'message', message });
  turn.conversation.add(await turn.store(message));
  const text = textOf(message);
  turn.scope.trace({ kind: 'message', outcome: 'delivered' });
  turn.messageSent(text);
  return text;
}

function unfinished(turn: Turn, loop: Exclude<LoopOutcome, { status: 'completed' }>): RunOutcome {
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
      hint: 'Add the model with Pincer: Add Model…, or disable the plugin.',
    },
  );
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
