import { basename } from 'node:path';
import * as vscode from 'vscode';
import { isRecord } from '../../base/json.ts';
import type { ReviewState } from './createReviewState.ts';
import { hunkPlaces, type HunkPlace } from './hunkLines.ts';
import { readReviewUri, requestUri, sideUri } from './reviewUris.ts';

/** Shows a review: one file as a diff, several as one editor with all of them. */
export async function openReview(
  review: ReviewState,
  options: { readonly preserveFocus: boolean },
): Promise<void> {
  if (review.files.length === 1) await openDiff(review, 0, options);
  else await openAllFiles(review);
}

/** Shows the review with a file, or one of its hunks, in view and under the cursor. */
export async function revealInReview(review: ReviewState, file: number, hunk = 0): Promise<void> {
  const shown = review.files[file];
  if (shown === undefined) return;
  const selection = rangeOf(hunkPlaces(shown, 'after')[hunk]);
  if (review.files.length === 1) {
    await openDiff(review, file, { preserveFocus: false, selection });
    return;
  }
  await openAllFiles(review, file);
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  const uri = sideUri(review, file, 'after').toString();
  const editor = vscode.window.visibleTextEditors.find((each) => each.document.uri.toString() === uri);
  if (editor === undefined) return;
  editor.selection = new vscode.Selection(selection.start, selection.start);
  editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function openDiff(
  review: ReviewState,
  file: number,
  options: vscode.TextDocumentShowOptions,
): Promise<void> {
  const title = vscode.l10n.t('{0} (proposed)', basename(review.files[file]?.edit.path ?? ''));
  const sides = [sideUri(review, file, 'before'), sideUri(review, file, 'after')];
  await vscode.commands.executeCommand('vscode.diff', ...sides, title, { preview: false, ...options });
}

/**
 * `vscode.changes` opens one more tab each time and can't show a certain file. The command below it can, but is not
 * documented, so that it is only preferred. Either takes the focus.
 */
async function openAllFiles(review: ReviewState, file?: number): Promise<void> {
  const title = vscode.l10n.t('Proposed edits');
  // New files, too, have a side before, which is empty: of files without one a tab does not tell which it shows.
  const resources = review.files.map((_, each) => ({
    originalUri: sideUri(review, each, 'before'),
    modifiedUri: sideUri(review, each, 'after'),
  }));
  const known = await vscode.commands.getCommands();
  if (known.includes(openMultiDiff)) {
    await vscode.commands.executeCommand(openMultiDiff, {
      title,
      multiDiffSourceUri: requestUri(review),
      resources,
      ...(file === undefined ? {} : { reveal: { modifiedUri: resources[file]?.modifiedUri } }),
    });
  } else {
    await closeReviews([review]);
    const changes = resources.map(({ originalUri, modifiedUri }) => [modifiedUri, originalUri, modifiedUri]);
    await vscode.commands.executeCommand('vscode.changes', title, changes);
  }
  // Not a preview, which the next file that is looked at would replace.
  await vscode.commands.executeCommand('workbench.action.keepEditor');
}

const openMultiDiff = '_workbench.openMultiDiffEditor';

/** The review that the active tab shows. */
export function approvalOfActiveTab(): string | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return tab === undefined ? undefined : approvalOf(tab);
}

/** Whether a review is in sight: the front tab of a group. */
export function isReviewShown(approvalId: string): boolean {
  return vscode.window.tabGroups.all.some(
    ({ activeTab }) => activeTab !== undefined && approvalOf(activeTab) === approvalId,
  );
}

/** Closes the tabs of these reviews. */
export async function closeReviews(reviews: readonly ReviewState[]): Promise<void> {
  await close((approvalId) => reviews.some(({ request }) => request.id === approvalId));
}

/** Closes what a reload brought back: its questions ended with the window. */
export async function closeLeftovers(): Promise<void> {
  await close(() => true);
}

async function close(isMeant: (approvalId: string) => boolean): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => {
      const approvalId = approvalOf(tab);
      return approvalId !== undefined && isMeant(approvalId);
    });
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

/** VS Code has no public type for a tab with several diffs, but tells which documents it shows. */
function approvalOf({ input }: vscode.Tab): string | undefined {
  const several: unknown = isRecord(input) ? input['textDiffs'] : undefined;
  const first: unknown = Array.isArray(several) ? several[0] : input;
  const modified = isRecord(first) ? first['modified'] : undefined;
  return modified instanceof vscode.Uri ? readReviewUri(modified)?.approvalId : undefined;
}

function rangeOf(place: HunkPlace | undefined): vscode.Range {
  const start = place?.start ?? 0;
  return new vscode.Range(start, 0, start, 0);
}
