// Threat: a call that needs a person runs without one. So: every path that is not a person's explicit yes denies (nobody
// there, timeout, cancel, an answer that was not offered), an answer counts once, and it is bound to the hash of the call.
import { randomUUID } from 'node:crypto';
import { isShutdown } from '../base/abort.ts';
import { errorMessage, type PincerError } from '../base/errors.ts';
import { inertLine } from '../base/text.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import type {
  ApprovalAsk,
  ApprovalDecision,
  ApprovalRequest,
  ApprovalResolution,
  Surface,
} from '../contracts/approval.ts';
import type { FileEdit, ToolCall } from '../contracts/tool.ts';
import type { Attention, Clock, Log } from '../host/ports.ts';
import type { ApprovalMode } from './decideMode.ts';
import {
  allowedWider,
  answers,
  answerUnasked,
  deniedBecause,
  inWords,
  limitsOf,
  openAsks,
  tenantOf,
  timedOut,
  type UnaskedAnswer,
} from './answerUnasked.ts';
import type {
  AnswerDetails,
  ApprovalBroker,
  ApprovalLimits,
  ApprovalOutcome,
  ApprovalQuestion,
  ApprovalRecord,
  ResolveResult,
  ShownPlace,
} from './approvalBroker.ts';
import { callHash } from './callHash.ts';
import { startBoth, startCountdown, type Countdown } from './countdown.ts';
import { clickGuardLeft } from './clickGuard.ts';
import type { GrantStore } from './createGrantStore.ts';
import { createWiderAnswers, widerScopes, type AskedCall } from './createWiderAnswers.ts';
import { isShownTo, isShownWhole } from './fullCall.ts';
import { findHunks } from './hunks.ts';
import type { PendingApprovals } from './createPendingApprovals.ts';
import {
  approvalAlreadyResolved,
  approvalAmbiguous,
  approvalDecisionNotOffered,
  approvalModeFixed,
  approvalNotShown,
  approvalTooSoon,
  approvalUnknown,
  approvalWithoutSurface,
} from './approvalErrors.ts';
import { planApproval } from './planApproval.ts';
import { isSurface, surfaces } from './surfaces.ts';

interface ApprovalBrokerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly grants: GrantStore;
  /** Read for each request, so that a changed setting counts at once. */
  readonly limits: () => ApprovalLimits;
  /** Writes the mode into the user's config and makes it count at once; default: it can't be changed here. */
  readonly saveMode?: (mode: ApprovalMode) => Promise<void>;
  /** Keeps open questions on disk, so that a reload can say what it cut off; default: they are not kept. */
  readonly pending?: PendingApprovals;
  /** The host's own time runs only while somebody looks; default: always. */
  readonly attention?: Attention;
}

interface Waiting extends AskedCall {
  readonly request: ApprovalRequest;
  /** When it was put to a person, or shown whole after that, by the monotonic clock. */
  shownAt: number;
  readonly countdown: Countdown;
  /** Where it was shown whole. */
  readonly shownOn: Set<ShownPlace>;
  readonly settle: (answer: UnaskedAnswer, mayJoin?: MayJoin) => void;
}

/** Which other questions an answer that covers more may settle, too. */
type MayJoin = NonNullable<AnswerDetails['mayJoin']>;

const everyQuestion: MayJoin = () => true;

const historySize = 200;
/** Characters of changed files that the history may hold: each decision keeps what it was about. */
const maxHistoryChars = 20_000_000;

export function createApprovalBroker(deps: ApprovalBrokerDeps): ApprovalBroker {
  const { clock, log, grants } = deps;
  const waiting = new Map<string, Waiting>();
  /** When the rows of the view were drawn last where others stood. */
  let drawnAt = Number.NEGATIVE_INFINITY;
  const records: ApprovalRecord[] = [];
  /** Ids that were answered; an id is here before its record is, since remembering an "always" takes time. */
  const closed: string[] = [];
  const changed: Emitter<void> = createEmitter();
  /** How often an "always" was remembered: a question that was being made meanwhile may be answered by it. */
  let remembered = 0;
  let disposed = false;
  const wider = createWiderAnswers();
  deps.pending?.onDidChange(() => changed.fire());

  async function request(call: ToolCall, question: ApprovalQuestion): Promise<ApprovalOutcome> {
    const limits = limitsOf(deps.limits(), question);
    const rememberedBefore = remembered;
    // Taken before anything is waited for: what is shown and hashed is what was asked about.
    const params = structuredClone(question.params);
    const { part, turn } = call;
    const hash = callHash(part.name, params);
    const open = await openAsks(grants, call, question);
    const covered = wider.find({ call, question }, open);
    const unasked =
      answerUnasked(limits, open) ?? (covered === undefined ? undefined : allowedWider(covered));
    const note = unasked === undefined ? await noteOfInterrupted(call, hash) : undefined;
    const [first, ...rest] = open;
    const asks: ApprovalQuestion['asks'] = first === undefined ? question.asks : [first, ...rest];
    const plan = planApproval({
      ...limits,
      params,
      asks,
      scope: question.grantScope,
      hasEdits: question.edits.length > 0,
      waitsLong: question.unattended === 'review',
      isReview: hasSeveralHunks(question.edits),
      ...(note === undefined ? {} : { note }),
    });
    const { timeoutAllows, clockMs, ...shown } = plan;
    const made: ApprovalRequest = {
      ...shown,
      wider: widerScopes(question, asks, plan.decisions),
      id: randomUUID(),
      sessionId: turn.sessionId,
      sessionKey: turn.sessionKey,
      runId: turn.runId,
      toolCallId: part.id,
      toolName: part.name,
      ...tenantOf(call),
      callHash: hash,
      params,
      edits: question.edits,
      ...(question.who === undefined ? {} : { who: inertLine(question.who, 80) }),
      ...(question.kind === undefined ? {} : { kind: question.kind }),
      ...(question.effects === undefined ? {} : { effects: question.effects }),
      ...(question.unattended === undefined ? {} : { isUnattended: true }),
      createdAt: clock.now(),
    };
    const ended = turn.signal.aborted || disposed ? answers.cancelled : unasked;
    const asking =
      ended === undefined
        ? ask(made, { timeoutAllows, clockMs }, { call, question: { ...question, asks } })
        : { answer: ended, mayJoin: everyQuestion };
    if (remembered !== rememberedBefore) await settleGranted((each) => each === made);
    const { answer, mayJoin } = await asking;
    if (answer.resolution === 'allow-always' && answer.by !== 'grant')
      await remember(made, asks, { call, question }, mayJoin);
    return finish(
      { request: made, isAsked: ended === undefined, rejected: new Map(), ...answer },
      question.asks,
    );
  }

  /** What to say of a question of this session that the end of a window cut off: the same call, or another one now. */
  async function noteOfInterrupted({ part, turn }: ToolCall, hash: string): Promise<string | undefined> {
    if (deps.pending === undefined) return undefined;
    const cutOff = (await deps.pending.interrupted()).filter(
      ({ sessionId, toolName }) => sessionId === turn.sessionId && toolName === part.name,
    );
    const same = cutOff.find((each) => each.callHash === hash);
    if (same !== undefined && (await deps.pending.take(same.id)))
      return 'asked before the window was reloaded, and unchanged';
    return cutOff.length === 0 ? undefined : 'not the call that was asked before the window was reloaded';
  }

  async function ask(
    made: ApprovalRequest,
    { timeoutAllows, clockMs }: { readonly timeoutAllows: boolean; readonly clockMs: number | undefined },
    { call, question }: AskedCall,
  ): Promise<{ readonly answer: UnaskedAnswer; readonly mayJoin: MayJoin }> {
    const { sessionId, signal } = call.turn;
    return await new Promise((resolve) => {
      const settle: Waiting['settle'] = (answer, mayJoin = everyQuestion) => {
        waiting.delete(made.id);
        if (closed.push(made.id) > historySize) closed.shift();
        countdown.stop();
        signal.removeEventListener('abort', onAbort);
        // What the end of the window cuts off stays on disk: the next window lists it as interrupted.
        if (!disposed && !isShutdown(signal)) deps.pending?.remove(made.id);
        resolve({ answer, mayJoin });
      };
      const onAbort = (): void => settle(answers.cancelled);
      const ended = (): void => settle(timedOut(timeoutAllows));
      const attention = made.isTimeWatched ? deps.attention : undefined;
      const countdown =
        attention === undefined || clockMs === undefined
          ? startCountdown(clock, made.timeoutMs, attention, ended)
          : startBoth(clock, { ms: made.timeoutMs, clockMs }, attention, {
              ended,
              overtaken: () => changed.fire(),
            });
      signal.addEventListener('abort', onAbort, { once: true });
      const shownAt = clock.monotonic();
      waiting.set(made.id, { request: made, call, question, shownAt, countdown, shownOn: new Set(), settle });
      deps.pending?.add(made, sessionId);
      question.onAsked?.(made);
      changed.fire();
    });
  }

  async function remember(
    made: ApprovalRequest,
    asks: readonly ApprovalAsk[],
    { call, question }: AskedCall,
    mayJoin: MayJoin,
  ): Promise<void> {
    if (question.grantScope === undefined) return;
    const { workspace, targets } = question.grantScope;
    const askers = [...new Set(asks.map((each) => each.asker))];
    for (const [asker, target] of askers.flatMap((asker) =>
      targets.map((target) => [asker, target] as const),
    )) {
      try {
        await grants.add({ toolName: made.toolName, asker, workspace, target, ...tenantOf(call) });
      } catch (error) {
        log.write(
          'error',
          `[approvals] "always" for ${made.grantLabel} was not remembered: ${errorMessage(error)}`,
        );
      }
    }
    remembered += 1;
    await settleGranted(mayJoin);
  }

  /** Questions that wait and that grants now answer whole need no person any more. */
  async function settleGranted(mayJoin: MayJoin): Promise<void> {
    for (const { request: made, call, question, settle } of [...waiting.values()]) {
      const isGranted = (await openAsks(grants, call, question)).length === 0;
      // It may have been answered, or approvals been set to deny, while the grants were read.
      const stillWaits = waiting.has(made.id) && deps.limits().mode !== 'deny';
      if (isGranted && stillWaits && mayJoin(made)) settle(answers.granted);
    }
  }

  /** Questions that wait and that the answer covers, too. */
  function settleWider(mayJoin: MayJoin): void {
    if (deps.limits().mode === 'deny') return;
    for (const each of [...waiting.values()]) {
      const covered = wider.find(each, each.question.asks);
      if (covered !== undefined && mayJoin(each.request)) each.settle(allowedWider(covered));
    }
  }

  function finish(outcome: ApprovalOutcome, asks: readonly ApprovalAsk[]): ApprovalOutcome {
    records.push({ ...outcome, resolvedAt: clock.now() });
    while (records.length > historySize || (records.length > 1 && charsOf(records) > maxHistoryChars)) {
      records.shift();
    }
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
    by: Surface,
    { words = '', rejected = new Map(), wider: scope, together, mayJoin = everyQuestion }: AnswerDetails = {},
  ): ResolveResult {
    if (!isSurface(by)) return { ok: false, error: approvalWithoutSurface() };
    const found = findWaiting(idOrPrefix);
    if (!('settle' in found)) return { ok: false, error: found };
    if (!found.request.decisions.includes(decision)) {
      return { ok: false, error: approvalDecisionNotOffered(decision, found.request.decisions) };
    }
    if (scope !== undefined && (decision !== 'allow-once' || !found.request.wider.includes(scope)))
      return { ok: false, error: approvalDecisionNotOffered(scope, found.request.decisions) };
    const allowed = decision !== 'deny';
    if (allowed && !isShownTo(found.request, found.shownOn, by))
      return { ok: false, error: approvalNotShown() };
    if (allowed && isFreshTo(found, by)) return { ok: false, error: approvalTooSoon() };
    const answer = {
      ...{ resolution: decision, allowed, by, rejected },
      reason: allowed ? 'Allowed by user' : deniedBecause(words),
      ...(scope === undefined ? {} : { wider: scope }),
      ...(together === undefined ? {} : { together }),
    };
    found.settle(answer, mayJoin);
    if (scope !== undefined) {
      wider.add(scope, found);
      settleWider(mayJoin);
    }
    return { ok: true, request: found.request };
  }

  function isFreshTo({ shownAt }: Waiting, by: Surface): boolean {
    const since = by === 'view' ? Math.max(shownAt, drawnAt) : shownAt;
    return surfaces[by].isClick && clickGuardLeft(since, clock.monotonic()) > 0;
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
    isTooSoon(id, by) {
      const found = waiting.get(id);
      return found !== undefined && isFreshTo(found, by);
    },
    noteShownWhole(id, where) {
      const found = waiting.get(id);
      if (found === undefined || found.shownOn.has(where)) return;
      // What a click on the way meant was to look at it, not to allow it.
      const isLookedAt = where === 'call' || where === 'diff';
      if (!isShownWhole(found.request) && isLookedAt) found.shownAt = clock.monotonic();
      found.shownOn.add(where);
      changed.fire();
    },
    noteDrawn() {
      drawnAt = clock.monotonic();
    },
    forgetShownWhole(where) {
      const forgotten = [...waiting.values()].filter(({ shownOn }) => shownOn.delete(where));
      if (forgotten.length > 0) changed.fire();
    },
    isShownWhole(id, by) {
      const found = waiting.get(id);
      return found !== undefined && isShownTo(found.request, found.shownOn, by);
    },
    wasShown: (id, where) => waiting.get(id)?.shownOn.has(where) === true,
    timeLeft: (id) => waiting.get(id)?.countdown.left(),
    answerInWords(sessionId, to) {
      for (const { request: made, settle } of [...waiting.values()])
        if (made.sessionId === sessionId) settle(inWords(to));
    },
    withdraw(asks) {
      for (const each of asks) void tell(each, 'cancelled');
    },
    pending: () => [...waiting.values()].map((each) => each.request),
    history: () => [...records],
    limits: deps.limits,
    async setMode(mode) {
      if (deps.saveMode === undefined) throw approvalModeFixed();
      await deps.saveMode(mode);
      changed.fire();
    },
    interrupted: async () => (await deps.pending?.interrupted()) ?? [],
    async dismissInterrupted(id) {
      if ((await deps.pending?.take(id)) !== true) throw approvalAlreadyResolved(id);
      changed.fire();
    },
    onDidChange: changed.event,
    dispose() {
      disposed = true;
      for (const each of [...waiting.values()]) each.settle(answers.cancelled);
    },
  };
}

function charsOf(records: readonly ApprovalRecord[]): number {
  const edits = records.flatMap((each) => each.request.edits);
  return edits.reduce((sum, { before, after }) => sum + (before ?? '').length + (after ?? '').length, 0);
}

function hasSeveralHunks(edits: readonly FileEdit[]): boolean {
  return edits.length > 1 || edits.some((edit) => findHunks(edit).length > 1);
}
