import { cancelledError, raceAbort, throwIfAborted } from '../base/abort.ts';
import { inertLine } from '../base/text.ts';
import type { AnsweredBy, ApprovalResolution } from '../contracts/approval.ts';
import type { Params } from '../contracts/jsonTypes.ts';
import type { ToolCallPart, ToolResultMessage } from '../contracts/message.ts';
import type { AgentTool, ToolResult } from '../contracts/tool.ts';
import { labelOf, placeOf, type WorkspaceLayout } from './paths/workspaceLayout.ts';
import {
  createStages,
  hookContextOf,
  pointContextOf,
  type CallingTurn,
  type CallStages,
  type ToolPipelineDeps,
} from './pipeline/callStages.ts';
import { judgeCall, type AllowedCall, type RefusedCall } from './pipeline/judgeCall.ts';
import {
  failedCall,
  hiddenTool,
  unknownTool,
  withheldByPlugin,
  type SkippedCall,
} from './pipeline/refusals.ts';
import {
  capResult,
  normalizeToolResult,
  progressText,
  readPersisted,
  readPointResult,
  textOf,
  toPointResult,
} from './pipeline/toolResult.ts';

/** Carries out the tool calls of one run. */
export interface ToolPipeline {
  /**
   * One call, from the model's words to the result that is stored. Whatever goes wrong becomes a result that
   * tells the model what to do; rejects only with `cancelled`, when the signal aborts.
   */
  call(part: ToolCallPart, turn: CallingTurn): Promise<ToolResultMessage>;
  /** A call that nobody judges or carries out; its result goes the way of every result. */
  skip(part: ToolCallPart, skipped: SkippedCall, turn: CallingTurn): Promise<ToolResultMessage>;
}

/**
 * The one way a tool is called: find → what the config denies by now → validate → what remote turns may not do → trusted policies →
 * `before_tool_call` → `beforeToolCall` → validate again → prepare → host rules → one approval → what the config denies since → execute →
 * `afterToolResult` → middleware → `tool_result_persist` → `after_tool_call` → cap. Stages share no object that they write to: each
 * gives back parameters, who asks and how it ended, and the next begins with that.
 */
export function createToolPipeline(deps: ToolPipelineDeps): ToolPipeline {
  return {
    async call(part, turn) {
      throwIfAborted(turn.signal);
      const stages = createStages(deps, { part, turn });
      return await finish(stages, await callTool(stages));
    },
    async skip(part, { result, because }, turn) {
      const stages = createStages(deps, { part, turn });
      stages.trace({ kind: 'policy', outcome: 'skipped', reason: because });
      return await finish(stages, notRun(structuredClone(part.arguments), result));
    },
  };
}

/** A call that has ended, whether its tool ran or not. */
interface EndedCall {
  /** What it ran with, or would have. */
  readonly params: Params;
  readonly isExecuted: boolean;
  readonly executionMs: number;
  /** How its question ended, where one had to be decided: by a person, a grant, the mode or the clock. */
  readonly approval?: { readonly resolution: ApprovalResolution; readonly by: AnsweredBy };
}

type EndedWithResult = EndedCall & { readonly result: ToolResult };

async function callTool(stages: CallStages): Promise<EndedWithResult> {
  const { deps, layout } = stages;
  const { part, turn } = stages.call;
  const tool = deps.catalog.find(part.name);
  turn.emit({ type: 'tool_started', call: part, ...labelOfCall(part, tool, layout) });
  if (tool === undefined) {
    const reason = 'there is no such tool, or it is hidden here';
    stages.trace({ kind: 'policy', outcome: 'refused', reason });
    return notRun(structuredClone(part.arguments), unknownTool(deps.catalog, part.name));
  }
  const denied = await deniedByNow(stages, tool);
  if (denied !== undefined) return notRun(structuredClone(part.arguments), denied);
  const judged = await judgeAgain(stages, tool, await judgeCall(stages, tool));
  if ('allowed' in judged) return await execute(stages, tool, judged);
  const { refused: result, params, approval } = judged;
  return { ...notRun(params, result), ...(approval === undefined ? {} : { approval }) };
}

/**
 * Why the config, as it is on disk by now, lets nobody call this tool.
 * @throws PincerError `cancelled`
 */
async function deniedByNow(
  { deps, call, trace }: CallStages,
  tool: AgentTool,
): Promise<ToolResult | undefined> {
  await raceAbort(deps.takeDenials(), call.turn.signal);
  const denied = deps.catalog.deniedNow(tool);
  if (denied === undefined) return undefined;
  trace({ kind: 'policy', outcome: 'refused', reason: denied.reason });
  return hiddenTool(denied);
}

/** A yes may come after hours, and the config may forbid by then what was asked about. */
async function judgeAgain(
  stages: CallStages,
  tool: AgentTool,
  judged: AllowedCall | RefusedCall,
): Promise<AllowedCall | RefusedCall> {
  if (!('allowed' in judged) || judged.approval === undefined) return judged;
  const refused = await deniedByNow(stages, tool);
  const { params, approval } = judged;
  return refused === undefined ? judged : { params, approval, refused };
}

function notRun(params: Params, result: ToolResult): EndedWithResult {
  return { params, isExecuted: false, executionMs: 0, result };
}

const maxLabel = 120;

/** What a person reads while a call runs: `Write notes.md`, and what of it is not the tool: `notes.md`, empty where nothing says so. */
export function labelOfCall(
  { name, arguments: params }: ToolCallPart,
  tool: AgentTool | undefined,
  layout: WorkspaceLayout,
): { readonly label: string; readonly target: string } {
  if (tool === undefined) return { label: inertLine(name, maxLabel), target: '' };
  const places = (tool.derivedPaths?.(params) ?? []).map((path) => placeOf(layout, path));
  const labels = places.flatMap((place) => (place === undefined ? [] : [labelOf(layout, place)]));
  const named = labels.filter((label) => label !== '.');
  const paths = named.length > 1 ? `${named.length} files` : (named[0] ?? '');
  const target = tool.target?.(params) ?? paths;
  return { label: inertLine(`${tool.label} ${target}`, maxLabel), target: inertLine(target, maxLabel) };
}

async function execute(stages: CallStages, tool: AgentTool, judged: AllowedCall): Promise<EndedWithResult> {
  const { deps } = stages;
  const { part, turn } = stages.call;
  const { signal } = turn;
  const { allowed, rejected, consent, params, approval } = judged;
  const started = deps.clock.monotonic();
  let isRunning = true;
  // A plugin may report on after its call was cancelled.
  const onUpdate = (partial: ToolResult): void => {
    const text = progressText(partial);
    if (isRunning && text !== '') turn.emit({ type: 'tool_progress', toolCallId: part.id, text });
  };
  const ended = (): EndedCall => {
    isRunning = false;
    const executionMs = deps.clock.monotonic() - started;
    return { params, isExecuted: true, executionMs, ...(approval === undefined ? {} : { approval }) };
  };
  try {
    const result = await stages.step('execute', async () => {
      const value: unknown = await raceAbort(allowed.run({ signal, onUpdate, rejected, consent }), signal);
      return normalizeToolResult(tool, value);
    });
    return { ...ended(), result };
  } catch (error) {
    const failed = ended();
    if (!signal.aborted) return { ...failed, result: failedCall(error) };
    // Who audits calls must learn of one that had begun to run.
    await observeAfter(stages, failed, undefined);
    throw cancelledError();
  }
}

/** Everything after a tool ran or was refused: what plugins make of the result, and what is stored. */
async function finish(stages: CallStages, ended: EndedWithResult): Promise<ToolResultMessage> {
  const { deps } = stages;
  const { part, turn } = stages.call;
  const { result, isWithheld } = await transform(stages, ended);
  const made: ToolResultMessage = {
    role: 'toolResult',
    toolCallId: part.id,
    toolName: part.name,
    content: result.content,
    ...(result.details === undefined ? {} : { details: result.details }),
    isError: result.isError === true,
    timestamp: deps.clock.now(),
  };
  const persisted = await persist(stages, made, ended);
  await observeAfter(stages, ended, result);
  const message = await stages.step('finish', () => capResult(persisted, deps.maxResultChars));
  const facts = factsOf(stages, made, isWithheld ? { ...ended, result, isExecuted: false } : ended);
  turn.emit({ type: 'tool_ended', call: part, result: message, ...(facts === undefined ? {} : { facts }) });
  return message;
}

// Threat: a plugin writes into the details of a result that the call was denied, or that no file changed. What people are shown comes
// from what the program's own tools and rules said, before any plugin saw it.
function factsOf({ deps, call }: CallStages, made: ToolResultMessage, ended: EndedWithResult): unknown {
  const isOwn = !ended.isExecuted || deps.catalog.find(call.part.name)?.owner.kind === 'core';
  const { details } = ended.result;
  if (!isOwn || details === undefined) return undefined;
  const said = { ...made, content: [], details };
  return capResult(said, deps.maxResultChars).details;
}

/** A result as `afterToolResult` left it. */
interface Transformed {
  readonly result: ToolResult;
  readonly isWithheld: boolean;
}

/**
 * `afterToolResult`, then the middleware of plugins, for a tool that really ran: once, whether it succeeded or not. Any other result
 * stays as it is.
 * @throws PincerError `cancelled`
 */
async function transform(stages: CallStages, ended: EndedWithResult): Promise<Transformed> {
  if (!ended.isExecuted) return { result: ended.result, isWithheld: false };
  try {
    const passed = await askPoints(stages, ended);
    return passed.isWithheld ? passed : await askMiddleware(stages, { ...ended, ...passed });
  } catch (error) {
    // Who audits calls must learn of one that ran, even where the turn is cancelled meanwhile.
    await observeAfter(stages, ended, undefined);
    throw error;
  }
}

async function askPoints(stages: CallStages, { result }: EndedWithResult): Promise<Transformed> {
  const { deps, call } = stages;
  if (!deps.hooks.has('afterToolResult')) return { result, isWithheld: false };
  const given = {
    toolName: call.part.name,
    result: toPointResult(result),
    success: result.isError !== true,
    sessionId: call.turn.sessionId,
    callId: call.part.id,
  };
  const { payload, block } = await stages.step('afterToolResult', () =>
    deps.hooks.modify('afterToolResult', given, pointContextOf(call), call.turn.signal),
  );
  // Before anything else can see it: a result that is withheld must not reach the model.
  if (block !== undefined) {
    const withheld = withheldByPlugin({ pluginId: block.pluginId, reason: block.message });
    return { result: withheld, isWithheld: true };
  }
  const read = readPointResult(payload.result, result);
  return { result: payload.success ? read : { ...read, isError: true }, isWithheld: false };
}

/** Middleware that fails leaves a result that it may have been meant to take something out of: the model gets none. */
async function askMiddleware(stages: CallStages, { result, params }: EndedWithResult): Promise<Transformed> {
  const { deps, call, layout } = stages;
  if (!deps.hooks.has('tool_result_middleware')) return { result, isWithheld: false };
  const { part, turn } = call;
  const { agentId, sessionId, sessionKey, runId } = turn;
  const [cwd] = layout.roots;
  const event = {
    toolCallId: part.id,
    toolName: part.name,
    args: params,
    ...(cwd === undefined ? {} : { cwd }),
    isError: result.isError === true,
    result,
  };
  const context = { runtime: 'openclaw', agentId, sessionId, sessionKey, runId } as const;
  const { result: made, failedIn } = await stages.step('tool_result_middleware', () =>
    deps.hooks.modify('tool_result_middleware', event, context, turn.signal),
  );
  if (failedIn !== undefined) {
    const reason = 'its middleware failed on it';
    return { result: withheldByPlugin({ pluginId: failedIn, reason }), isWithheld: true };
  }
  return { result: result.isError === true ? { ...made, isError: true } : made, isWithheld: false };
}

/** `tool_result_persist` may change what is stored; it can't make it the result of another call. */
async function persist(
  stages: CallStages,
  made: ToolResultMessage,
  { isExecuted }: EndedCall,
): Promise<ToolResultMessage> {
  const { deps } = stages;
  const { part, turn } = stages.call;
  if (!deps.hooks.has('tool_result_persist')) return made;
  const ofCall = { toolName: part.name, toolCallId: part.id };
  const event = { message: made, ...ofCall, isSynthetic: !isExecuted };
  const { agentId, sessionKey } = turn;
  const { message } = await stages.step('tool_result_persist', () =>
    deps.hooks.sync('tool_result_persist', event, { agentId, sessionKey, ...ofCall }),
  );
  const persisted = readPersisted(message, made);
  if (persisted !== undefined) return persisted;
  deps.log.write(
    'warn',
    `[hooks] what tool_result_persist made of the result of ${part.name} is no tool result; it was ignored`,
  );
  return made;
}

/**
 * `after_tool_call` sees the result as the tool gave it and `afterToolResult` left it; undefined where the call was cancelled. It is
 * started in order, and nobody waits for it.
 */
async function observeAfter(
  { deps, call, step }: CallStages,
  { params, executionMs, approval }: EndedCall,
  result: ToolResult | undefined,
): Promise<void> {
  if (!deps.hooks.has('after_tool_call')) return;
  const { part, turn } = call;
  const event = {
    toolName: part.name,
    params,
    ...(result === undefined ? { error: 'cancelled' } : { result }),
    ...(result?.isError === true ? { error: textOf(result) } : {}),
    durationMs: executionMs,
    runId: turn.runId,
    toolCallId: part.id,
    ...(approval === undefined ? {} : { approval }),
  };
  await step('after_tool_call', () => {
    const observers = deps.hooks.observe('after_tool_call', event, hookContextOf(call));
    if (turn.inBackground === undefined) void observers;
    else turn.inBackground(observers);
  });
}
