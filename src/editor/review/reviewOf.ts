import type { ApprovalRequest } from '../../contracts/approval.ts';
import { createReviewState, type ReviewState } from './createReviewState.ts';

/** Lives and dies with its request; every surface that shows or answers the request sees the same ticks. */
const reviews = new WeakMap<ApprovalRequest, ReviewState>();

/** The one review of a request. */
export function reviewOf(request: ApprovalRequest): ReviewState {
  const known = reviews.get(request);
  if (known !== undefined) return known;
  const review = createReviewState(request);
  reviews.set(request, review);
  return review;
}
