import type { Disposable } from '../../base/disposable.ts';
import { createEmitter, type Emitter, type Event } from '../../base/event.ts';
import type { ApprovalBroker } from '../../approvals/approvalBroker.ts';
import type { ReviewState } from './createReviewState.ts';
import type { ReviewOf } from './createReviewOf.ts';

/** The reviews of all requests with edits that wait for an answer. */
export interface Reviews extends Disposable {
  /** Oldest first. */
  pending(): readonly ReviewState[];
  find(approvalId: string): ReviewState | undefined;
  /** Attaches to the requests of a runtime. */
  follow(approvals: Pick<ApprovalBroker, 'pending' | 'onDidChange'>): Disposable;
  readonly onDidOpen: Event<ReviewState>;
  /** The request was answered, by whomever. */
  readonly onDidClose: Event<ReviewState>;
  /** Something of a review changed, or one came or went. */
  readonly onDidChange: Event<void>;
}

export function createReviews(reviewOf: ReviewOf): Reviews {
  const open = new Map<ReviewState, Disposable>();
  const opened = createEmitter<ReviewState>();
  const closed = createEmitter<ReviewState>();
  const changed: Emitter<void> = createEmitter();

  function update(approvals: Pick<ApprovalBroker, 'pending'>): void {
    const now = approvals
      .pending()
      .filter((request) => request.edits.length > 0)
      .map(reviewOf);
    const fresh = now.filter((review) => !open.has(review));
    const gone = [...open.keys()].filter((review) => !now.includes(review));
    for (const review of gone) {
      open.get(review)?.dispose();
      open.delete(review);
      closed.fire(review);
    }
    for (const review of fresh) {
      open.set(
        review,
        review.onDidChange(() => changed.fire()),
      );
      opened.fire(review);
    }
    if (fresh.length + gone.length > 0) changed.fire();
  }

  return {
    pending: () => [...open.keys()],
    find: (approvalId) => [...open.keys()].find(({ request }) => request.id === approvalId),
    follow(approvals) {
      update(approvals);
      return approvals.onDidChange(() => update(approvals));
    },
    onDidOpen: opened.event,
    onDidClose: closed.event,
    onDidChange: changed.event,
    dispose() {
      for (const each of [...open.values(), opened, closed, changed]) each.dispose();
    },
  };
}
