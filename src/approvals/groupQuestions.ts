// Threat: one yes answers a question that was not before the user, or more of it than was accepted. So only ordinary questions are
// answered together, and who asks for a group says of each whether it may join.
import type { BatchAnswer, ApprovalRequest, CallKind } from '../contracts/approval.ts';
import { isOrdinary, isSameKind } from './createWiderAnswers.ts';

/** Questions of one kind and folder that one answer allows together, oldest first. */
export interface QuestionGroup {
  readonly kind: CallKind;
  readonly requests: readonly ApprovalRequest[];
}

/**
 * The questions that may be allowed together: those of one kind and folder, each ordinary and asked for no tenant. `mayJoin` says of
 * one whether all of it was shown where the answer is given, and is accepted whole. Groups of fewer than `least` are left out. Pure.
 */
export function groupQuestions(
  pending: readonly ApprovalRequest[],
  mayJoin: (request: ApprovalRequest) => boolean,
  least = 2,
): readonly QuestionGroup[] {
  const groups: { readonly kind: CallKind; readonly requests: ApprovalRequest[] }[] = [];
  for (const request of pending) {
    const { kind, decisions, tenantId } = request;
    if (kind === undefined || tenantId !== undefined || !decisions.includes('allow-once')) continue;
    if (!isOrdinary(request) || !mayJoin(request)) continue;
    const group = groups.find((each) => isSameKind(each.kind, kind));
    if (group === undefined) groups.push({ kind, requests: [request] });
    else group.requests.push(request);
  }
  return groups.filter(({ requests }) => requests.length >= least);
}

/** How many questions, and of how many sessions. Pure. */
export function sizeOf(requests: readonly ApprovalRequest[]): BatchAnswer {
  return { count: requests.length, sessions: new Set(requests.map(({ sessionId }) => sessionId)).size };
}

/** What one yes to several questions does: those that it allows, oldest first, and those that go on waiting. */
interface BatchPlan {
  readonly allowed: readonly ApprovalRequest[];
  readonly left: readonly ApprovalRequest[];
  /** How many of them somebody had answered before. */
  readonly answered: number;
}

/**
 * What a yes to the questions of these ids does, as far as they wait and may join. Undefined where it comes too soon for one of them: a
 * click that may have met that one by chance was meant for none. Pure.
 */
export function planTogether(
  ids: readonly string[],
  pending: readonly ApprovalRequest[],
  mayJoin: (request: ApprovalRequest) => boolean,
  isTooSoon: (request: ApprovalRequest) => boolean,
): BatchPlan | undefined {
  const waiting = pending.filter(({ id }) => ids.includes(id));
  const allowed = groupQuestions(waiting, mayJoin, 1)
    .flatMap(({ requests }) => requests)
    .sort((one, other) => one.createdAt - other.createdAt);
  if (allowed.some(isTooSoon)) return undefined;
  const left = waiting.filter((request) => !allowed.includes(request));
  return { allowed, left, answered: ids.length - waiting.length };
}
