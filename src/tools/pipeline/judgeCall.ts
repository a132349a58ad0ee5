// Threat: a call runs that nobody allowed, or another one than was allowed. A guard is asked about other parameters than those that run,
// or one that failed is taken for one that agreed. Each guard sees what the ones before it left; then parameters are final, and what is
// prepared, shown, hashed and run is that one copy. Any doubt on the way ends the call, and whoever asked for approval is told.
import { raceAbort, throwIfAborted } from '../../base/abort.ts';
import { PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { ApprovalOutcome } from '../../approvals/approvalBroker.ts';
import { askedAbout } from '../../approvals/askedAbout.ts';
import { callHash } from '../../approvals/callHash.ts';
import { kindOfCall } from '../../approvals/createWiderAnswers.ts';
import { decideAsk, refusedForRemote, type HostVerdict } from '../../approvals/decideAsk.ts';
import { planGrantScope } from '../../approvals/planGrantScope.ts';
import type { AnsweredBy, ApprovalAsk, ApprovalResolution } from '../../contracts/approval.ts';
import type { Params } from '../../contracts/jsonTypes.ts';
import type {
  AgentTool,
  CallConsent,
  PreparedCall,
  RejectedHunks,
  ToolResult,
} from '../../contracts/tool.ts';
import { findChanges } from '../../hooks/findChanges.ts';
import type { Stage } from '../../hooks/hookRunner.ts';
import type { BeforeToolCallEvent, BeforeToolCallOutcome } from '../../hooks/payloads/toolHooks.ts';
import { hookContextOf, pointContextOf, type CallStages } from './callStages.ts';
import { blockedByPlugin, failedCall, invalidParams, notApproved, refusedByRule } from './refusals.ts';

interface Judged {
  /** As plugins left them. */
  readonly params: Params;
  /** How its question ended, where one had to be decided. */
  readonly approval?: { readonly resolution: ApprovalResolution; readonly by: AnsweredBy };
}

/** A call that may run now. */
export interface AllowedCall extends Judged {
  readonly allowed: PreparedCall;
  /** What of its edits the user refused. */
  readonly rejected: RejectedHunks;
  readonly consent: CallConsent;
}

/** A call that may not, and the result that says why. */
export interface RefusedCall extends Judged {
  readonly refused: ToolResult;
}

/**
 * Everything before a tool runs: parameters, plugins, host rules, and one approval for all that ask. What fails on the way refuses the
 * call.
 * @throws PincerError `cancelled`
 */
export async function judgeCall(stages: CallStages, tool: AgentTool): Promise<AllowedCall | RefusedCall> {
  // A copy of our own: the transcript and plugins hold others.
  const given = structuredClone(stages.call.part.arguments);
  return await orRefuse(stages, given, async () => {
    const faults = await stages.step('validate', () => stages.deps.validator.validate(tool, given));
    if (faults.length > 0) {
      stages.trace({ kind: 'policy', outcome: 'refused', reason: 'the parameters are not valid' });
      return { params: given, refused: invalidParams(tool, faults, false) };
    }
    const remote = remoteOf(stages, tool);
    const reason = remote && refusedForRemote(remote);
    if (reason !== undefined) {
      stages.trace({ kind: 'policy', outcome: 'refused', reason: 'a sender of a channel began the turn' });
      return { params: given, refused: refusedByRule(reason) };
    }
    const judged = await judgeByPlugins(stages, tool, given);
    if ('refused' in judged) return judged;
    const { asks } = judged;
    const params = withoutAdded(stages, tool, given, judged.params);
    return await orRefuse(stages, params, () => judgeByHost(stages, tool, params, asks));
  });
}

/** Without the keys that a plugin added and the tool doesn't know; what else doesn't fit refuses the call. */
function withoutAdded({ deps, trace }: CallStages, tool: AgentTool, given: Params, params: Params): Params {
  if (callHash(tool.name, params) === callHash(tool.name, given)) return params;
  const { kept, dropped } = deps.validator.dropAdded(tool, given, params);
  if (dropped.length === 0) return params;
  const reason = inertLine(`a plugin added what ${tool.name} does not know: ${dropped.join(', ')}`, 300);
  trace({ kind: 'policy', outcome: 'dropped', reason });
  return kept;
}

/** What `work` gives, or a refusal that says how it failed; a cancelled turn is no failure. */
async function orRefuse<T>(
  { call }: CallStages,
  params: Params,
  work: () => Promise<T>,
): Promise<T | RefusedCall> {
  try {
    return await work();
  } catch (error) {
    throwIfAborted(call.turn.signal);
    return { params, refused: failedCall(error) };
  }
}

/** What plugins made of a call: parameters, not checked yet, and whoever asks for approval. */
interface PluginVerdict {
  readonly params: Params;
  readonly asks: readonly ApprovalAsk[];
}

/**
 * Trusted policies, then `before_tool_call`, then `beforeToolCall`: each may change the parameters, block, or ask for approval. One
 * that fails blocks where it is a guard.
 * @throws PincerError `cancelled`
 */
async function judgeByPlugins(
  stages: CallStages,
  tool: AgentTool,
  given: Params,
): Promise<PluginVerdict | RefusedCall> {
  const { hooks } = stages.deps;
  let verdict: PluginVerdict = { params: given, asks: [] };
  for (const stage of ['policies', 'plugins'] as const) {
    if (!hooks.has('before_tool_call', stage)) continue;
    const judged = await askHooks(stages, tool, verdict, stage);
    if (stage === 'policies') tracePolicies(stages, verdict, judged);
    if (judged.block !== undefined) return refuse(stages, judged, blockedByPlugin(judged.block));
    const params = judged.params === verdict.params ? judged.params : readArgs(judged.params);
    if (params === undefined) return refuseParams(stages, tool, judged, ['they are no JSON object']);
    verdict = { params, asks: judged.asks };
  }
  return hooks.has('beforeToolCall') ? await askPoints(stages, tool, verdict) : verdict;
}

const stepOf = { policies: 'trusted_policies', plugins: 'before_tool_call' } as const;

/** One stage of `before_tool_call`. Who asked before asks on, and is marked where the parameters are others by now. */
async function askHooks(
  stages: CallStages,
  tool: AgentTool,
  { params, asks }: PluginVerdict,
  stage: Stage,
): Promise<BeforeToolCallOutcome> {
  const { deps, call, step } = stages;
  const derivedPaths = tool.derivedPaths?.(params) ?? [];
  const event: BeforeToolCallEvent = {
    toolName: tool.name,
    params,
    runId: call.turn.runId,
    toolCallId: call.part.id,
    ...(derivedPaths.length === 0 ? {} : { derivedPaths }),
  };
  const firing = (): Promise<BeforeToolCallOutcome> =>
    deps.hooks.modify('before_tool_call', event, hookContextOf(call), call.turn.signal, { stage });
  const judged = await step(stepOf[stage], () => orWithdraw(stages, asks, firing));
  const before = asks.map((ask) => markChanged(ask, params, judged.params));
  return { ...judged, asks: [...before, ...judged.asks] };
}

/** Dexto's `beforeToolCall` may change the parameters last, never the tool. Earlier questions stay and are marked as changed. */
async function askPoints(
  stages: CallStages,
  tool: AgentTool,
  verdict: PluginVerdict,
): Promise<PluginVerdict | RefusedCall> {
  const { params: before, asks } = verdict;
  const { deps, call, step } = stages;
  const { part, turn } = call;
  const given = { toolName: part.name, args: before, sessionId: turn.sessionId, callId: part.id };
  const { payload, block } = await step('beforeToolCall', () =>
    orWithdraw(stages, asks, () =>
      deps.hooks.modify('beforeToolCall', given, pointContextOf(call), turn.signal),
    ),
  );
  if (block !== undefined) {
    const { pluginId, message: reason } = block;
    return refuse(stages, verdict, blockedByPlugin({ pluginId, reason }));
  }
  const params = payload.args === before ? before : readArgs(payload.args);
  if (params === undefined) return refuseParams(stages, tool, verdict, ['they are no JSON object']);
  return { ...verdict, params, asks: asks.map((ask) => markChanged(ask, before, params)) };
}

/** A copy that is JSON and nothing else: what is judged from here on, shown, hashed and run. */
function readArgs(args: unknown): Params | undefined {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(args));
    return isRecord(copy) ? copy : undefined;
  } catch {
    // A cycle, a number without end, or nothing at all.
    return undefined;
  }
}

/** The mark leads: the end of a description may be cut. */
function markChanged(ask: ApprovalAsk, before: Params, after: Params): ApprovalAsk {
  const names = findChanges(before, after, true).map(({ path }) => path.split(/[.[]/u, 1)[0] ?? path);
  if (names.length === 0) return ask;
  const changed = [...new Set(names)].join(', ');
  return { ...ask, description: `Changed since this was asked: ${changed}. ${ask.description}` };
}

/** What `work` gives; where it fails, whoever asks is told that it was cancelled. */
async function orWithdraw<T>(
  { deps }: CallStages,
  asks: readonly ApprovalAsk[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    deps.approvals.withdraw(asks);
    throw error;
  }
}

/** What trusted policies did; that they were asked and said nothing is no line. */
function tracePolicies({ trace }: CallStages, before: PluginVerdict, judged: BeforeToolCallOutcome): void {
  const changes = findChanges({ params: before.params }, { params: judged.params }, false);
  if (changes.length > 0) trace({ kind: 'policy', outcome: 'changed', changes });
  for (const { asker, title } of judged.asks)
    trace({ kind: 'policy', pluginId: asker, outcome: 'asked', reason: title });
  if (judged.block === undefined) return;
  const { pluginId, reason } = judged.block;
  trace({ kind: 'policy', pluginId, outcome: 'refused', reason });
}

/** A refusal counts even where others asked; whoever asked is told. */
function refuse({ deps }: CallStages, { params, asks }: PluginVerdict, refused: ToolResult): RefusedCall {
  deps.approvals.withdraw(asks);
  return { params, refused };
}

/** A plugin made parameters that the tool can't take. */
function refuseParams(
  stages: CallStages,
  tool: AgentTool,
  verdict: PluginVerdict,
  faults: readonly string[],
): RefusedCall {
  const reason = 'the parameters are not valid after a plugin changed them';
  stages.trace({ kind: 'policy', outcome: 'refused', reason });
  return refuse(stages, verdict, invalidParams(tool, faults, true));
}

const nothingRejected: RejectedHunks = new Map();

/** With the parameters final: checked again, prepared, judged by the host's rules, and approved where anybody asks. */
async function judgeByHost(
  stages: CallStages,
  tool: AgentTool,
  params: Params,
  asks: readonly ApprovalAsk[],
): Promise<AllowedCall | RefusedCall> {
  const { deps, call, step } = stages;
  const finalHash = callHash(tool.name, params);
  const prepared = await orWithdraw(stages, asks, async () => {
    const mayHaveChanged = deps.hooks.has('before_tool_call') || deps.hooks.has('beforeToolCall');
    const faults = mayHaveChanged
      ? await step('validate_again', () => deps.validator.validate(tool, params))
      : [];
    if (faults.length > 0) return refuseParams(stages, tool, { params, asks }, faults);
    return await step('prepare', () => raceAbort(tool.prepare(call, params), call.turn.signal));
  });
  if (!('run' in prepared)) return prepared;
  const judged = await approve(stages, tool, { params, asks }, prepared, finalHash);
  const isChanged = callHash(tool.name, params) !== finalHash;
  return 'allowed' in judged && isChanged ? changed(tool, judged) : judged;
}

/** The host's rules, and one question for them and all plugins that ask. */
async function approve(
  stages: CallStages,
  tool: AgentTool,
  { params, asks: pluginAsks }: PluginVerdict,
  allowed: PreparedCall,
  finalHash: string,
): Promise<AllowedCall | RefusedCall> {
  const { deps, call, layout, judgePath } = stages;
  const { turn } = call;
  const { effects } = allowed;
  const startedAt = deps.clock.monotonic();
  const { mode } = deps.approvals.limits();
  const host = decideAsk(effects, { mode, judgePath, remote: remoteOf(stages, tool) });
  traceHost(stages, host, startedAt);
  if (host.kind === 'refused')
    return refuse(stages, { params, asks: pluginAsks }, refusedByRule(host.reason));
  const [first, ...rest] = host.kind === 'ask' ? [host.ask, ...pluginAsks] : pluginAsks;
  if (first === undefined) return { params, allowed, rejected: nothingRejected, consent: 'free' };

  const edits = effects.flatMap((effect) => (effect.kind === 'edit' ? [effect.edit] : []));
  const shown = effects.filter((effect) => effect.kind === 'execute' || effect.kind === 'network');
  const kind = kindOfCall(effects, judgePath);
  const askedAt = deps.clock.monotonic();
  const outcome = await stages.step('approve', () =>
    deps.approvals.request(call, {
      params,
      asks: [first, ...rest],
      edits,
      ...(kind === undefined ? {} : { kind }),
      ...(shown.length === 0 ? {} : { effects: shown }),
      grantScope: planGrantScope(tool.name, effects, layout.roots[0] ?? '', judgePath),
      onAsked: (request) => turn.emit({ type: 'approval_requested', request }),
    }),
  );
  tellApproval(stages, outcome, askedAt);
  throwIfAborted(turn.signal);
  const { request, resolution, by, rejected } = outcome;
  const judged = { params, approval: { resolution, by } };
  if (!outcome.allowed) return { ...judged, refused: notApproved(outcome) };
  if (request.callHash !== finalHash) return changed(tool, judged);
  const consent = outcome.isAsked ? 'person' : isEarlierYes(by) ? 'always' : 'free';
  return { ...judged, allowed, rejected, consent };
}

function tellApproval({ trace, call }: CallStages, outcome: ApprovalOutcome, askedAt: number): void {
  const { request, resolution, by, allowed: isAllowed } = outcome;
  const { title, askers } = request;
  const asked = askedAbout(request);
  const about = asked === undefined ? {} : { asked };
  trace({ kind: 'approval', title, ...about, askers, resolution, by, isAllowed }, askedAt);
  if (!outcome.isAsked) return;
  const wider = outcome.wider === undefined ? {} : { wider: outcome.wider };
  const together = outcome.together === undefined ? {} : { together: outcome.together };
  call.turn.emit({ type: 'approval_resolved', request, resolution, by, ...wider, ...together });
}

/** An answer to another call covers this one. */
function isEarlierYes(by: AnsweredBy): boolean {
  return by === 'grant' || by === 'turn' || by === 'session';
}

function traceHost({ trace }: CallStages, host: HostVerdict, startedAt: number): void {
  if (host.kind === 'free') trace({ kind: 'policy', outcome: 'allowed' }, startedAt);
  else if (host.kind === 'ask')
    trace({ kind: 'policy', outcome: 'asked', reason: host.ask.title }, startedAt);
  else trace({ kind: 'policy', outcome: 'refused', reason: host.reason }, startedAt);
}

function remoteOf({ deps }: CallStages, tool: AgentTool) {
  return deps.remotePolicy && { policy: deps.remotePolicy, tool };
}

function changed({ name }: AgentTool, { params, approval }: Judged): RefusedCall {
  const error = new PincerError(
    'approval_mismatch',
    `The parameters of "${name}" changed after they were final; nothing was done.`,
    { hint: 'Do not repeat the call. Tell the user that a plugin changed it.' },
  );
  return { params, ...(approval === undefined ? {} : { approval }), refused: failedCall(error) };
}
