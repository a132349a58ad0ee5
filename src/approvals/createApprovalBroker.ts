// Threat: a call that needs a person runs without one. So: every path that is not a person's explicit yes denies (nobody
// there, timeout, cancel, an answer that was not offered), an answer counts once, and it is bound to the hash of the call.
import { randomUUID } from 'node:crypto';
import { errorMessage, type PincerError } from '../base/errors.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import type {
  ApprovalAsk,
  ApprovalDecision,
  ApprovalRequest,
  ApprovalResolution,
} from '../contracts/approval.ts';
import type { RejectedHunks } from '../contracts/tool.ts';
import type { Clock, Log } from '../host/ports.ts';
import type {
  ApprovalBroker,
  ApprovalInput,
  ApprovalLimits,
  ApprovalOutcome,
  ApprovalRecord,
  ResolveResult,
} from './approvalBroker.ts';
import { callHash } from './callHash.ts';
import type { GrantStore } from './createGrantStore.ts';
import {
  approvalAlreadyResolved,
  approvalAmbiguous,
  approvalDecisionNotOffered,
  approvalUnknown,
} from './errors.ts';
import { offersAlways, planApproval } from './planApproval.ts';

export interface ApprovalBrokerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly grants: GrantStore;
  /** Read for each request, so that a changed setting counts at once. */
  readonly limits: () => ApprovalLimits;
}

type Answer = Omit<ApprovalOutcome, 'request' | 'isAsked' | 'rejected'> & {
  readonly rejected?: RejectedHunks;
};

interface Waiting {
  readonly request: ApprovalRequest;
  readonly settle: (answer: Answer) => void;
}

const historySize = 200;

const answers = {
  granted: {
    resolution: 'allow-always',
    allowed: true,
    by: 'grant',
    reason: 'Allowed by an earlier "always"',
  },
  denyMode: { resolution: 'deny', allowed: false, by: 'policy', reason: 'Denied: approvals are set to deny' },
  nobody: {
    resolution: 'deny',
    allowed: false,
    by: 'policy',
    reason: 'Denied: it needs approval and nobody can answer here',
  },
  cancelled: {
    resolution: 'cancelled',
    allowed: false,
    by: 'cancel',
    reason: 'Approval cancelled (run aborted)',
  },
} as const satisfies Record<string, Answer>;

export function createApprovalBroker(deps: ApprovalBrokerDeps): ApprovalBroker {
  const { clock, log, grants } = deps;
  const waiting = new Map<string, Waiting>();
  const records: ApprovalRecord[] = [];
  /** Ids that were answered; an id is here before its record is, since remembering an "always" takes time. */
  const closed: string[] = [];
  const changed: Emitter<void> = createEmitter();
  let disposed = false;

  async function request(input: ApprovalInput): Promise<ApprovalOutcome> {
    const limits = deps.limits();
    // Taken before anything is waited for: what is shown and hashed is what was asked about.
    const params = structuredClone(input.params);
    const open = await openAsks(grants, input);
    const [first, ...rest] = open;
    const asks: ApprovalInput['asks'] = first === undefined ? input.asks : [first, ...rest];
    const plan = planApproval({
      ...input,
      ...limits,
      params,
      asks,
      scope: input.grantScope,
      hasEdits: input.edits.length > 0,
    });
    const { timeoutMs, timeoutAllows, ...shown } = plan;
    const now = clock.now();
    const made: ApprovalRequest = {
      ...shown,
      id: randomUUID(),
      sessionKey: input.sessionKey,
      runId: input.runId,
      toolCallId: input.toolCallId,
      toolName: input.toolName,
      callHash: callHash(input.toolName, params),
      params,
      edits: input.edits,
      createdAt: now,
      expiresAt: now + timeoutMs,
    };
    const unasked = answerUnasked(limits, open, input.signal);
    const answer = unasked ?? (await ask(made, timeoutAllows, input));
    if (answer.resolution === 'allow-always' && answer.by !== 'grant') await remember(made, asks, input);
    return finish(
      { request: made, isAsked: unasked === undefined, rejected: new Map(), ...answer },
      input.asks,
    );
  }

  /** The answer where no person is needed, or none can be had. */
  function answerUnasked(
    limits: ApprovalLimits,
    open: readonly ApprovalAsk[],
    signal: AbortSignal,
  ): Answer | undefined {
    if (signal.aborted || disposed) return answers.cancelled;
    if (limits.mode === 'deny') return answers.denyMode;
    if (open.length === 0) return answers.granted;
    return limits.canAsk ? undefined : answers.nobody;
  }

  async function ask(made: ApprovalRequest, timeoutAllows: boolean, input: ApprovalInput): Promise<Answer> {
    return await new Promise<Answer>((resolve) => {
      const settle = (answer: Answer): void => {
        waiting.delete(made.id);
        if (closed.push(made.id) > historySize) closed.shift();
        stopTimer();
        input.signal.removeEventListener('abort', onAbort);
        resolve(answer);
      };
      const onAbort = (): void => settle(answers.cancelled);
      const stopTimer = clock.after(made.expiresAt - made.createdAt, () => settle(timedOut(timeoutAllows)));
      input.signal.addEventListener('abort', onAbort, { once: true });
      waiting.set(made.id, { request: made, settle });
      input.onAsked?.(made);
      changed.fire();
    });
  }

  async function remember(
    made: ApprovalRequest,
    asks: readonly ApprovalAsk[],
    { grantScope }: ApprovalInput,
  ): Promise<void> {
    if (grantScope === undefined) return;
    const { workspace, target } = grantScope;
    for (const asker of new Set(asks.map((each) => each.asker))) {
      try {
        await grants.add({ toolName: made.toolName, asker, workspace, target });
      } catch (error) {
        log.write(
          'error',
          `[approvals] "always" for ${made.grantLabel} was not remembered: ${errorMessage(error)}`,
        );
      }
    }
  }

  function finish(outcome: ApprovalOutcome, asks: readonly ApprovalAsk[]): ApprovalOutcome {
    records.push({ ...outcome, resolvedAt: clock.now() });
    if (records.length > historySize) records.shift();
    changed.fire();
    for (const each of asks) void tell(each, outcome.resolution);
    return outcome;
  }

  async function tell(each: ApprovalAsk, resolution: ApprovalResolution): Promise<void> {
    try {
      await each.onResolution?.(resolution);
    } catch (error) {
      log.write('error', `[approvals] onResolution of ${each.asker} failed: ${errorMessage(error)}`);
    }
  }

  function resolveRequest(
    idOrPrefix: string,
    decision: ApprovalDecision,
    by: string,
    rejected: RejectedHunks = new Map(),
  ): ResolveResult {
    const found = findWaiting(idOrPrefix);
    if (!('settle' in found)) return { ok: false, error: found };
    if (!found.request.decisions.includes(decision)) {
      return { ok: false, error: approvalDecisionNotOffered(decision, found.request.decisions) };
    }
    const allowed = decision !== 'deny';
    found.settle({
      resolution: decision,
      allowed,
      by,
      reason: allowed ? 'Allowed by user' : 'Denied by user',
      rejected,
    });
    return { ok: true, request: found.request };
  }

  function findWaiting(idOrPrefix: string): Waiting | PincerError {
    const exact = waiting.get(idOrPrefix);
    if (exact !== undefined) return exact;
    if (idOrPrefix === '') return approvalUnknown(idOrPrefix);
    const matching = [...waiting.values()].filter((each) => each.request.id.startsWith(idOrPrefix));
    const [only, ...more] = matching;
    if (only !== undefined && more.length === 0) return only;
    if (only !== undefined)
      return approvalAmbiguous(
        idOrPrefix,
        matching.map((each) => each.request.id),
      );
    const past = closed.some((id) => id.startsWith(idOrPrefix));
    return past ? approvalAlreadyResolved(idOrPrefix) : approvalUnknown(idOrPrefix);
  }

  return {
    request,
    resolve: resolveRequest,
    withdraw(asks) {
      for (const each of asks) void tell(each, 'cancelled');
    },
    pending: () => [...waiting.values()].map((each) => each.request),
    history: () => [...records],
    onDidChange: changed.event,
    dispose() {
      disposed = true;
      for (const each of [...waiting.values()]) each.settle(answers.cancelled);
    },
  };
}

/** The asks that no remembered "always" answers; each asker needs its own (rulings T4). */
async function openAsks(
  grants: GrantStore,
  { asks, toolName, grantScope }: ApprovalInput,
): Promise<readonly ApprovalAsk[]> {
  if (grantScope === undefined) return asks;
  const { workspace, target } = grantScope;
  const open: ApprovalAsk[] = [];
  for (const each of asks) {
    const query = { toolName, asker: each.asker, workspace, target };
    if (!offersAlways(each) || !(await grants.matches(query))) open.push(each);
  }
  return open;
}

function timedOut(allows: boolean): Answer {
  const reason = allows ? 'Allowed because nobody answered in time' : 'Approval timed out';
  return { resolution: 'timeout', allowed: allows, by: 'timeout', reason };
}
