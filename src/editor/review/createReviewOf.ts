import type { ApprovalRequest } from '../../contracts/approval.ts';
import { createReviewState, type ReviewState } from './createReviewState.ts';

/** The one review of a request: every surface that shows or answers the request sees the same ticks. */
export type ReviewOf = (request: ApprovalRequest) => ReviewState;

/** Made once for a window and handed on. A review lives and dies with its request. */
export function createReviewOf(): ReviewOf {
  const reviews = new WeakMap<ApprovalRequest, ReviewState>();
  return (request) => {
    const review = reviews.get(request) ?? createReviewState(request);
    reviews.set(request, review);
    return review;
  };
}
