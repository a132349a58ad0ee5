import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { Hunk } from '../../approvals/hunks.ts';
import type { ReviewFile, ReviewPart, ReviewState } from './createReviewState.ts';
import { summarizeHunk } from './hunkLines.ts';

/** `lines 10–12: +3 −1`. */
export function hunkLabel(hunk: Hunk): string {
  const { first, last, added, removed } = summarizeHunk(hunk);
  const counts = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])].join(' ');
  const lines =
    first === last ? vscode.l10n.t('line {0}', first) : vscode.l10n.t('lines {0}–{1}', first, last);
  return counts === '' ? vscode.l10n.t('empty file') : `${lines}: ${counts}`;
}

/** `2 of 3 hunks`. */
export function countText(review: ReviewState, part?: ReviewPart): string {
  const { accepted, total } = review.countOf(part);
  return total === 1
    ? vscode.l10n.t('{0} of 1 hunk', accepted)
    : vscode.l10n.t('{0} of {1} hunks', accepted, total);
}

/** What a yes to the ticks does: `Apply`, or `Apply 2 of 3`. */
export function applyText(review: ReviewState): string {
  const { accepted, total } = review.countOf();
  return accepted === total ? vscode.l10n.t('Apply') : vscode.l10n.t('Apply {0} of {1}', accepted, total);
}

/** What a yes does where not all is accepted, on surfaces beside the diff; undefined where it takes all. */
export function ticksText(review: ReviewState): string | undefined {
  switch (review.choiceOf()) {
    case 'accepted':
      return undefined;
    case 'partial':
      return applyText(review);
    case 'rejected':
      return vscode.l10n.t('Nothing accepted: this denies it');
  }
}

/** What opens the review, in the chat and in the notification. */
export function openReviewText(review: ReviewState): string {
  const { total } = review.countOf();
  return total > 1 ? vscode.l10n.t('Review {0} hunks', total) : vscode.l10n.t('Show diff');
}

/** What happens to a file as a whole, where that is more than a change of its text. */
export function fileFate({ edit }: ReviewFile): string | undefined {
  if (edit.before === null) return vscode.l10n.t('new');
  return edit.after === null ? vscode.l10n.t('deleted') : undefined;
}

/** What there is to say of a file that changed while its edit waits, short. */
export function staleTitle({ files }: ReviewState): string {
  return files.length > 1
    ? vscode.l10n.t('Changed since: reject this file, or nothing is written')
    : vscode.l10n.t('Changed since: it will not be written');
}

/** The same in full. */
export function staleText({ files }: ReviewState, { edit }: ReviewFile): string {
  const label = inertLine(edit.label, 120);
  return files.length > 1
    ? vscode.l10n.t(
        '{0} changed since this was proposed. Reject it to write the others; otherwise nothing is written and the model looks again.',
        label,
      )
    : vscode.l10n.t(
        '{0} changed since this was proposed. It will not be written, and the model looks again.',
        label,
      );
}

/** The files that stand in the way of the others: they changed, and are not rejected. */
export function staleFiles(review: ReviewState): readonly number[] {
  return [...review.files.keys()].filter(
    (file) => review.isStale(file) && review.choiceOf({ file }) !== 'rejected',
  );
}
