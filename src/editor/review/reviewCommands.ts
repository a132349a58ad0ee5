import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { ApprovalDecision } from '../../contracts/approval.ts';
import { resolveApproval, tellAnswered } from '../approvals/resolveApproval.ts';
import { showNoticeWhileAsked } from '../approvals/statusBarNotice.ts';
import type { CommandId } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import type { ReviewOf } from './createReviewOf.ts';
import { choicesOf, type ReviewPart, type ReviewState } from './createReviewState.ts';
import type { Reviews } from './createReviews.ts';
import { openReview, revealInReview, approvalOfActiveTab } from './reviewTabs.ts';
import { countText } from './reviewTexts.ts';
import { hunkNear, hunkPlaces } from './hunkLines.ts';
import { readReviewUri } from './reviewUris.ts';

/** An editor of several diffs takes the focus when it opens by itself: keys of who was just typing must not answer. */
const graceMs = 700;

/**
 * The review by keyboard, lens, row, link and editor title alike. `arrivals` tells when (`performance.now`) an editor took
 * the focus by itself.
 */
export function registerReviewCommands(
  runtime: LazyRuntime,
  reviewOf: ReviewOf,
  reviews: Reviews,
  arrivals: WeakMap<ReviewState, number>,
): vscode.Disposable {
  const answer =
    (decision: ApprovalDecision, { takesAll = false } = {}) =>
    async (target: unknown): Promise<void> => {
      const review = findPart(reviews, target)?.review ?? (await pickReview(reviews));
      if (review === undefined) return;
      const arrived = arrivals.get(review) ?? Number.NEGATIVE_INFINITY;
      if (target === undefined && performance.now() - arrived < graceMs) return;
      const loaded = await runtime.get();
      const by = takesAll && target !== undefined ? 'chat button' : 'review';
      // The button of the chat was drawn before anything was rejected, and does not show it.
      if (by === 'chat button' && review.choiceOf() !== 'accepted') {
        showNoticeWhileAsked(loaded.approvals, [review.request.id], rejectedSinceText(review));
        return;
      }
      if (isOutdated(review, target)) {
        showNoticeWhileAsked(loaded.approvals, [review.request.id], changedSinceText(review));
        return;
      }
      if (takesAll) review.choose(true);
      await resolveApproval({ reviewOf, runtime: loaded }, review.request.id, { decision, by });
    };
  const choose =
    (isAccepted: boolean, narrow: (part: ReviewPart) => ReviewPart | undefined) => (target: unknown) => {
      const found = findPart(reviews, target);
      const part = found === undefined ? undefined : narrow(found.part);
      if (found === undefined || part === undefined) throw nothingHere();
      found.review.choose(isAccepted, part);
      // What a screen reader can tell of a key that only changes a mark.
      vscode.window.setStatusBarMessage(vscode.l10n.t('{0} selected', countText(found.review)), 3_000);
    };
  /** What names a request that was answered is clicked late: it says so, and does nothing else. */
  const register = (id: ReviewCommand, run: (target: unknown) => unknown): vscode.Disposable =>
    registerCommand(id, async (target) => {
      const named = requestOf(target);
      if (named === undefined || reviews.find(named) !== undefined) await run(target);
      else tellAnswered(await runtime.get(), named);
    });
  return vscode.Disposable.from(
    register('pincer.review.accept', answer('allow-once')),
    register('pincer.review.acceptAll', answer('allow-once', { takesAll: true })),
    register('pincer.review.reject', answer('deny')),
    register('pincer.review.acceptHunk', choose(true, hunkOf)),
    register('pincer.review.rejectHunk', choose(false, hunkOf)),
    register('pincer.review.acceptFile', choose(true, fileOf)),
    register('pincer.review.rejectFile', choose(false, fileOf)),
    register('pincer.review.nextHunk', (target) => goToHunk(reviews, target, 'Next')),
    register('pincer.review.previousHunk', (target) => goToHunk(reviews, target, 'Previous')),
    register('pincer.review.reveal', async (target) => {
      const found = findPart(reviews, target);
      const { file, hunk } = found?.part ?? {};
      if (found !== undefined && file !== undefined) await revealInReview(found.review, file, hunk);
    }),
  );
}

function rejectedSinceText(review: ReviewState): string {
  return vscode.l10n.t('Not written: you accepted {0}. Use “Apply what is accepted”.', countText(review));
}

/** A lens that VS Code has not drawn anew yet promises something else than would be written now. */
function isOutdated(review: ReviewState, target: unknown): boolean {
  const drawnFor = isRecord(target) ? target['drawnFor'] : undefined;
  return drawnFor !== undefined && drawnFor !== choicesOf(review);
}

function changedSinceText(review: ReviewState): string {
  return vscode.l10n.t('Not written: {0} are accepted now. Click again.', countText(review));
}

type ReviewCommand = Extract<CommandId, `pincer.review.${string}`>;

function hunkOf({ file, hunk }: ReviewPart): ReviewPart | undefined {
  return file === undefined || hunk === undefined ? undefined : { file, hunk };
}

function fileOf({ file }: ReviewPart): ReviewPart | undefined {
  return file === undefined ? undefined : { file };
}

function nothingHere(): PincerError {
  return new PincerError('review_no_hunk', vscode.l10n.t('There is no proposed change under the cursor.'), {
    hint: vscode.l10n.t('Put the cursor into the diff of a proposed edit.'),
  });
}

/** VS Code's own steps from change to change know which file of several has the focus and pass it on. */
async function goToHunk(reviews: Reviews, target: unknown, step: 'Next' | 'Previous'): Promise<void> {
  const review = findPart(reviews, target)?.review ?? (await pickReview(reviews));
  if (review === undefined) return;
  await openReview(review, { preserveFocus: false });
  await vscode.commands.executeCommand(
    review.files.length > 1
      ? `multiDiffEditor.goTo${step}Change`
      : `workbench.action.compareEditor.${step.toLowerCase()}Change`,
  );
}

async function pickReview(reviews: Reviews): Promise<ReviewState | undefined> {
  const picked = await vscode.window.showQuickPick(
    reviews.pending().map((review) => ({
      label: review.request.title,
      description: countText(review),
      review,
    })),
    { placeHolder: vscode.l10n.t('Which request?') },
  );
  return picked?.review;
}

/** The part of a review that a command is about. */
interface FoundPart {
  readonly review: ReviewState;
  readonly part: ReviewPart;
}

/** The request that a lens, row, link or editor title names, whether it waits or not. */
function requestOf(target: unknown): string | undefined {
  if (target instanceof vscode.Uri) return readReviewUri(target)?.approvalId;
  const id = isRecord(target) ? target['approvalId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/**
 * What is meant: the target that a lens, row, link or editor title names; without one what is under the cursor, in the
 * active tab, or the only review there is. Undefined where what the target names does not wait.
 */
function findPart(reviews: Reviews, target: unknown): FoundPart | undefined {
  if (isRecord(target) && typeof target['approvalId'] === 'string') {
    const { approvalId, file, hunk } = target;
    const review = reviews.find(approvalId);
    return review === undefined ? undefined : { review, part: partOf(file, hunk) };
  }
  const atCursor = findAtCursor(reviews);
  if (target instanceof vscode.Uri) {
    const address = readReviewUri(target);
    const review = address === undefined ? undefined : reviews.find(address.approvalId);
    if (review === undefined) return undefined;
    return atCursor?.review === review ? atCursor : { review, part: partOf(address?.file) };
  }
  const [only, ...others] = reviews.pending();
  const review = reviews.find(approvalOfActiveTab() ?? '') ?? (others.length === 0 ? only : undefined);
  return atCursor ?? (review === undefined ? undefined : { review, part: {} });
}

function findAtCursor(reviews: Reviews): FoundPart | undefined {
  const editor = vscode.window.activeTextEditor;
  const address = editor === undefined ? undefined : readReviewUri(editor.document.uri);
  const review = address === undefined ? undefined : reviews.find(address.approvalId);
  const file = address?.file;
  const shown = file === undefined ? undefined : review?.files[file];
  if (editor === undefined || address === undefined || review === undefined || shown === undefined)
    return undefined;
  const hunk = hunkNear(hunkPlaces(shown, address.side), editor.selection.active.line);
  return { review, part: partOf(file, hunk) };
}

function partOf(file: unknown, hunk?: unknown): ReviewPart {
  return {
    ...(typeof file === 'number' ? { file } : {}),
    ...(typeof hunk === 'number' ? { hunk } : {}),
  };
}
