// Threat: one yes answers a question that was not before the user, or more of it than was accepted. So only ordinary questions are
// answered together, and who asks for a group says of each whether it may join.
import type { ApprovalRequest, CallKind } from '../contracts/approval.ts';
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
