import * as vscode from 'vscode';
import { isRecord } from '../../base/json.ts';
import type { ReviewPart, ReviewState } from './createReviewState.ts';
import type { Reviews } from './createReviews.ts';
import { hunkNear, hunkPlaces } from './hunkLines.ts';
import { approvalOfActiveTab } from './reviewTabs.ts';
import { readReviewUri } from './reviewUris.ts';

/** The part of a review that a command is about. */
interface FoundPart {
  readonly review: ReviewState;
  readonly part: ReviewPart;
}

/** The request that a lens, row, link or editor title names, whether it waits or not. */
export function requestOf(target: unknown): string | undefined {
  if (target instanceof vscode.Uri) return readReviewUri(target)?.approvalId;
  const id = isRecord(target) ? target['approvalId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/**
 * What is meant: the target that a lens, row, link or editor title names; without one what is under the cursor, in the
 * active tab, or the only review there is. Undefined where what the target names does not wait.
 */
export function findPart(reviews: Reviews, target: unknown): FoundPart | undefined {
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
