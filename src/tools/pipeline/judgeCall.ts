// Threat: a call runs that nobody allowed, or another one than was allowed. Parameters become final in the hook stage; what
// is prepared, shown, hashed and run is that one copy, and any doubt on the way ends the call.
import { raceAbort, throwIfAborted } from '../../base/abort.ts';
import { PincerError } from '../../base/errors.ts';
import { askedAbout } from '../../approvals/askedAbout.ts';
import { callHash } from '../../approvals/callHash.ts';
import { decideAsk, type HostVerdict } from '../../approvals/decideAsk.ts';
import { kindOfCall } from '../../approvals/createWiderAnswers.ts';
import { planGrantScope } from '../../approvals/planGrantScope.ts';
import type { ApprovalAsk } from '../../contracts/approval.ts';
import type {
  AgentTool,
  CallConsent,
  PreparedCall,
  RejectedHunks,
  ToolResult,
} from '../../contracts/tool.ts';
import type { CallScope } from './createCallScope.ts';
import { judgeByPlugins, refuseParams } from './judgeByPlugins.ts';
import { invalidParams, notApproved, refusedByRule } from './refusals.ts';

/** A call that may run now, or the result that says why not. */
export type JudgedCall = AllowedCall | { readonly refused: ToolResult };

export interface AllowedCall {
  readonly allowed: PreparedCall;
  /** What of its edits the user refused. */
  readonly rejected: RejectedHunks;
  readonly consent: CallConsent;
}

const nothingRejected: RejectedHunks = new Map();

/** Everything before a tool runs: parameters, plugins, host rules, and one approval for all that ask. */
export async function judgeCall(scope: CallScope, tool: AgentTool): Promise<JudgedCall> {
  const { deps, progress } = scope;
  const faults = await scope.step('validate', () => deps.validator.validate(tool, progress.params));
  if (faults.length > 0) {
    scope.trace({ kind: 'policy', outcome: 'refused', reason: 'the parameters are not valid' });
    return { refused: invalidParams(tool, faults, false) };
  }

  const hooked = await judgeByPlugins(scope, tool);
  if ('refused' in hooked) return hooked;
  const finalHash = callHash(tool.name, progress.params);
  const prepared = await prepareWith(scope, tool, hooked.asks);
  if ('refused' in prepared) return prepared;
  const judged = await approve(scope, tool, prepared.allowed, hooked.asks, finalHash);
  const isChanged = callHash(tool.name, progress.params) !== finalHash;
  if ('allowed' in judged && isChanged) throw changedParams(tool.name);
  return judged;
}

/** Whoever asked is told when the call ends before its question could be put. */
async function prepareWith(
  scope: CallScope,
  tool: AgentTool,
  asks: readonly ApprovalAsk[],
): Promise<JudgedCall> {
  const { deps, context, progress, step } = scope;
  try {
    const mayHaveChanged = deps.hooks.has('before_tool_call') || deps.points?.has('beforeToolCall') === true;
    const faults = mayHaveChanged
      ? await step('validate_again', () => deps.validator.validate(tool, progress.params))
      : [];
    if (faults.length > 0) return refuseParams(scope, tool, asks, faults);
    const { signal } = context;
    const allowed = await step('prepare', () =>
      raceAbort(tool.prepare({ ...scope.identity, signal }, progress.params), signal),
    );
    return { allowed, rejected: nothingRejected, consent: 'free' };
  } catch (error) {
    deps.approvals.withdraw(asks);
    throw error;
  }
}

async function approve(
  scope: CallScope,
  tool: AgentTool,
  prepared: PreparedCall,
  pluginAsks: readonly ApprovalAsk[],
  finalHash: string,
): Promise<JudgedCall> {
  const { deps, context, layout, judgePath, progress } = scope;
  const startedAt = deps.clock.monotonic();
  const { effects } = prepared;
  const host = decideAsk(effects, { mode: deps.approvals.limits().mode, judgePath });
  traceHost(scope, host, startedAt);
  if (host.kind === 'refused') {
    deps.approvals.withdraw(pluginAsks);
    return { refused: refusedByRule(host.reason) };
  }
  const [first, ...rest] = host.kind === 'ask' ? [host.ask, ...pluginAsks] : pluginAsks;
  if (first === undefined) return { allowed: prepared, rejected: nothingRejected, consent: 'free' };

  const edits = effects.flatMap((effect) => (effect.kind === 'edit' ? [effect.edit] : []));
  const shown = effects.filter((effect) => effect.kind === 'execute' || effect.kind === 'network');
  const kind = kindOfCall(effects, judgePath);
  const tenantId = context.tenant?.tenantId;
  const askedAt = deps.clock.monotonic();
  const outcome = await scope.step('approve', () =>
    deps.approvals.request({
      ...scope.identity,
      toolName: tool.name,
      params: progress.params,
      asks: [first, ...rest],
      edits,
      ...(kind === undefined ? {} : { kind }),
      ...(shown.length === 0 ? {} : { effects: shown }),
      grantScope: planGrantScope(tool.name, effects, layout.roots[0] ?? '', judgePath),
      ...(tenantId === undefined ? {} : { tenantId }),
      signal: context.signal,
      onAsked: (request) => context.emit({ type: 'approval_requested', request }),
    }),
  );
  const { request, resolution, by, allowed: isAllowed } = outcome;
  progress.approval = { resolution, by };
  const { title, askers } = request;
  const asked = askedAbout(request);
  const about = asked === undefined ? {} : { asked };
  scope.trace({ kind: 'approval', title, ...about, askers, resolution, by, isAllowed }, askedAt);
  const wider = outcome.wider === undefined ? {} : { wider: outcome.wider };
  if (outcome.isAsked) context.emit({ type: 'approval_resolved', request, resolution, by, ...wider });
  throwIfAborted(context.signal);
  if (!outcome.allowed) return { refused: notApproved(outcome) };
  if (request.callHash !== finalHash) throw changedParams(tool.name);
  return {
    allowed: prepared,
    rejected: outcome.rejected,
    consent: outcome.isAsked ? 'person' : isEarlierYes(by) ? 'always' : 'free',
  };
}

/** An answer to another call covers this one. */
function isEarlierYes(by: string): boolean {
  return by === 'grant' || by === 'turn' || by === 'session';
}

function traceHost({ trace }: CallScope, host: HostVerdict, startedAt: number): void {
  if (host.kind === 'free') trace({ kind: 'policy', outcome: 'allowed' }, startedAt);
  else if (host.kind === 'ask')
    trace({ kind: 'policy', outcome: 'asked', reason: host.ask.title }, startedAt);
  else trace({ kind: 'policy', outcome: 'refused', reason: host.reason }, startedAt);
}

function changedParams(toolName: string): PincerError {
  return new PincerError(
    'approval_mismatch',
    `The parameters of "${toolName}" changed after they were final; nothing was done.`,
    { hint: 'Do not repeat the call. Tell the user that a plugin changed it.' },
  );
}
