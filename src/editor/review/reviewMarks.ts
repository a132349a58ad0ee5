import * as vscode from 'vscode';
import type { Reviews } from './createReviews.ts';
import { hunkPlaces } from './hunkLines.ts';
import { proposedScheme, readReviewUri } from './reviewUris.ts';

/**
 * Strikes through the new lines of rejected hunks. The lines stay: what was refused can still be read and taken back, and
 * nothing moves under the cursor.
 */
export function registerReviewMarks(reviews: Reviews): vscode.Disposable {
  const rejected = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    opacity: '0.55',
    textDecoration: 'line-through',
    overviewRulerColor: new vscode.ThemeColor('disabledForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  });
  const mark = (): void => {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.scheme === proposedScheme)
        editor.setDecorations(rejected, rejectedRanges(reviews, editor.document.uri));
    }
  };
  return vscode.Disposable.from(
    rejected,
    reviews.onDidChange(mark),
    vscode.window.onDidChangeVisibleTextEditors(mark),
  );
}

function rejectedRanges(reviews: Reviews, uri: vscode.Uri): vscode.Range[] {
  const address = readReviewUri(uri);
  const file = address?.file;
  const review = address === undefined ? undefined : reviews.find(address.approvalId);
  const shown = file === undefined ? undefined : review?.files[file];
  if (review === undefined || file === undefined || shown === undefined) return [];
  return hunkPlaces(shown, 'after').flatMap(({ start, end }, hunk) =>
    end > start && review.choiceOf({ file, hunk }) === 'rejected'
      ? [new vscode.Range(start, 0, end - 1, Number.MAX_SAFE_INTEGER)]
      : [],
  );
}
