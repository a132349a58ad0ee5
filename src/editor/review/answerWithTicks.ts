import type { ApprovalBroker, ResolveResult } from '../../approvals/approvalBroker.ts';
import type { BatchAnswer, ApprovalDecision, Surface, WiderScope } from '../../contracts/approval.ts';
import type { ReviewOf } from './createReviewOf.ts';
import { planAnswer } from './createReviewState.ts';

/** What a person answers, and where. */
export interface UserAnswer {
  readonly decision: ApprovalDecision;
  readonly by: Surface;
  readonly wider?: WiderScope | undefined;
  readonly together?: BatchAnswer;
}

/**
 * Answers a request as every surface of the editor has to: a yes counts for the edits that are ticked, and is a no where
 * none is. Other requests with rejected hunks stay open, whatever the answer covers: each needs an answer of its own.
 */
export function answerWithTicks(
  reviewOf: ReviewOf,
  approvals: Pick<ApprovalBroker, 'pending' | 'resolve'>,
  idOrUniquePrefix: string,
  { decision, by, wider, together }: UserAnswer,
): ResolveResult {
  const matching = approvals.pending().filter(({ id }) => id.startsWith(idOrUniquePrefix));
  const [request, ...others] = idOrUniquePrefix === '' ? [] : matching;
  // No request, or more than one: the broker refuses in its own words.
  if (request === undefined || others.length > 0) return approvals.resolve(idOrUniquePrefix, decision, by);
  const answer = planAnswer(reviewOf(request), decision);
  // A yes that became a no covers nothing else.
  const covered = answer.decision === decision && wider !== undefined ? { wider } : {};
  return approvals.resolve(request.id, answer.decision, by, {
    rejected: answer.rejected,
    ...covered,
    together,
    mayJoin: (other) => reviewOf(other).choiceOf() === 'accepted',
  });
}
