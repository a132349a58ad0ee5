import * as vscode from 'vscode';
import type { ApprovalBroker } from '../../approvals/approvalBroker.ts';
import type { Disposable } from '../../base/disposable.ts';
import { hasHiddenCharacters } from '../../base/text.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { readSetting } from '../readSetting.ts';
import { inBackground } from '../registerCommand.ts';
import { createReviews, type Reviews } from './createReviews.ts';
import type { ReviewState } from './createReviewState.ts';
import { registerReviewCommands } from './reviewCommands.ts';
import { registerReviewLenses } from './reviewLenses.ts';
import { registerReviewMarks } from './reviewMarks.ts';
import type { ReviewOf } from './createReviewOf.ts';
import { closeLeftovers, closeReviews, isReviewShown, openReview } from './reviewTabs.ts';
import { registerReviewTree } from './reviewTree.ts';
import { provideSides } from './reviewUris.ts';
import { watchForChanges } from './watchForChanges.ts';

export interface EditReview extends Disposable {
  /** Resolves once the diff of a request that was just asked is open; at once where none opens by itself. Rejects as VS Code does. */
  whenOpened(request: ApprovalRequest): Promise<void>;
}

/**
 * Proposed edits before anything is written: as a diff, hunk by hunk, in the diff itself, in the Review view and by
 * keyboard. Nothing but an answer decides; closing a tab does not.
 */
export function registerEditReview(
  runtime: LazyRuntime,
  reviewOf: ReviewOf,
  log: vscode.LogOutputChannel,
): EditReview {
  const reviews = createReviews(reviewOf);
  const arrivals = new WeakMap<ReviewState, number>();
  const openings = new WeakMap<ReviewState, Promise<void>>();
  inBackground(closeLeftovers());
  const registered = vscode.Disposable.from(
    reviews,
    registerReviewCommands(runtime, reviewOf, reviews, arrivals),
    // Nothing is proposed before the runtime runs.
    runtime.whenLoaded(({ approvals }) =>
      vscode.Disposable.from(
        provideSides((approvalId) => reviews.find(approvalId)),
        registerReviewLenses(reviews),
        registerReviewMarks(reviews),
        registerReviewTree(reviews),
        followReviews(reviews, { arrivals, openings, warn: (problem) => log.warn(problem) }),
        noteInFront(reviews, approvals),
        reviews.follow(approvals),
      ),
    ),
  );
  return {
    whenOpened: async (request) => await openings.get(reviewOf(request)),
    dispose() {
      registered.dispose();
    },
  };
}

interface Followed {
  readonly arrivals: WeakMap<ReviewState, number>;
  readonly openings: WeakMap<ReviewState, Promise<void>>;
  readonly warn: (problem: string) => void;
}

/** Opens the diff of each new review, watches its files, and closes its tabs once it is answered. */
function followReviews(reviews: Reviews, { arrivals, openings, warn }: Followed): vscode.Disposable {
  const watches = new Map<ReviewState, { dispose(): void }>();
  return vscode.Disposable.from(
    reviews.onDidOpen((review) => {
      watches.set(review, watchForChanges(review, warn));
      if (!readSetting('review.openDiff')) return;
      const opening = openWhileItWaits(reviews, review, arrivals);
      openings.set(review, opening);
      inBackground(opening);
    }),
    reviews.onDidClose((review) => {
      watches.get(review)?.dispose();
      watches.delete(review);
      inBackground(closeReviews([review]));
    }),
    { dispose: () => watches.forEach((watch) => watch.dispose()) },
  );
}

/** An edit counts as shown from when its diff was in front of somebody. */
function noteInFront(
  reviews: Reviews,
  approvals: Pick<ApprovalBroker, 'noteShownWhole' | 'forgetShownWhole'>,
): vscode.Disposable {
  const note = (): void => {
    if (!vscode.window.state.focused) return;
    for (const { request } of reviews.pending())
      if (isReviewShown(request.id) && showsWholeLines(request)) approvals.noteShownWhole(request.id, 'diff');
  };
  return vscode.Disposable.from(
    vscode.window.tabGroups.onDidChangeTabs(note),
    vscode.window.tabGroups.onDidChangeTabGroups(note),
    vscode.window.onDidChangeWindowState(note),
    // An editor may have drawn its lines by new settings before this host hears of them.
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('editor')) return;
      approvals.forgetShownWhole('diff');
      note();
    }),
  );
}

/** Threat: settings of the workspace cut the lines of the diff, or take away the marks of hidden characters. */
function showsWholeLines({ edits }: ApprovalRequest): boolean {
  const editor = vscode.workspace.getConfiguration('editor');
  const limit = editor.get<number>('stopRenderingLineAfter', -1);
  const marks = ['unicodeHighlight.invisibleCharacters', 'renderControlCharacters'];
  const isMarked = marks.every((name) => editor.get(name) === true);
  const isShown = (text: string): boolean =>
    (limit < 0 || text.split('\n').every((line) => line.length <= limit)) &&
    (isMarked || !hasHiddenCharacters(text));
  return edits.every(({ before, after }) => isShown(before ?? '') && isShown(after ?? ''));
}

/** An answer may come while the diff is still opening. */
async function openWhileItWaits(
  reviews: Reviews,
  review: ReviewState,
  arrivals: WeakMap<ReviewState, number>,
): Promise<void> {
  await openReview(review, { preserveFocus: true });
  if (review.files.length > 1) arrivals.set(review, performance.now());
  if (!reviews.pending().includes(review)) await closeReviews([review]);
}
