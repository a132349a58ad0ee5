// Threat: what does the harm stands out of sight, and a click on what is in sight allows it. All of a call stands in its item: lines
// wrap, nothing scrolls inside of it, hidden characters stand as codes. What is too long to be read there has no yes, but leads to an editor.
import * as vscode from 'vscode';
import { truncate } from '../../base/text.ts';
import { diffShowsAll, fullCall } from '../../approvals/fullCall.ts';
import { showHidden, showHiddenLine } from '../../approvals/showHidden.ts';
import type { ApprovalRecord } from '../../approvals/approvalBroker.ts';
import { codeBlock } from '../../sessions/markdown/codeBlock.ts';
import { answeredText, answerText, askersText, coveredText } from '../approvals/approvalTexts.ts';
import { shownCall } from '../approvals/shownCall.ts';
import type { ReviewFile, ReviewState } from '../review/createReviewState.ts';
import {
  applyText,
  countText,
  fileFate,
  hunkLabel,
  openReviewText,
  staleTitle,
} from '../review/reviewTexts.ts';
import type { QuestionChoice, QuestionFile, QuestionItem } from '../../gateway/chatPage/chatViewMessages.ts';

/** What a question may hold: more than that is nothing to be read in a side bar. */
const maxLines = 150;
const maxChars = 6_000;

/** A question as the view shows it. `wasRead`: all of it stood elsewhere, as a diff or in an editor. */
export function questionItem(review: ReviewState, wasRead: boolean): QuestionItem {
  const { request } = review;
  const shown = diffShowsAll(request) ? changes(review) : call(review);
  const by = request.askers.every((asker) => asker === 'host')
    ? ''
    : ` · ${vscode.l10n.t('asked by {0}', askersText(request.askers))}`;
  return {
    kind: 'question',
    id: request.id,
    severity: request.severity,
    title: request.title,
    ...shown,
    description: `${shown.description}${by}`,
    choices: choicesOf(review, shown.isWhole || wasRead),
    status: vscode.l10n.t('Waiting for your answer.'),
  };
}

/** The same once it was answered, or its turn has ended: nothing is to be clicked any more. */
export function answeredItem(
  item: QuestionItem,
  record: ApprovalRecord | undefined,
  review: ReviewState,
): QuestionItem {
  const isPart = record?.allowed === true && review.choiceOf() === 'partial';
  const said =
    record === undefined
      ? vscode.l10n.t('No longer waiting')
      : answeredText(
          isPart ? vscode.l10n.t('Allowed in part, {0}', countText(review)) : answerText(record),
          record.by,
        );
  return { ...item, choices: [], status: said };
}

type Shown = Pick<QuestionItem, 'description' | 'markdown' | 'files' | 'isWhole'>;

function call({ request }: ReviewState): Shown {
  const short = shownCall(request, { room: maxLines });
  const above = [short.description, short.reason].filter((text) => text !== '').join(' · ');
  if (short.isWhole) return { description: above, markdown: short.markdown, files: [], isWhole: true };
  const text = fullCall(request);
  const isWhole = text.length <= maxChars && text.split('\n').length <= maxLines;
  const cut = isWhole ? text : `${text.slice(0, maxChars / 4)}\n…`;
  return { description: short.description, markdown: codeBlock(cut, maxChars * 2), files: [], isWhole };
}

function changes(review: ReviewState): Shown {
  const { request } = review;
  const files = review.files.map((file, at) => fileOf(review, file, at));
  const rows = files.flatMap(({ label, fate, hunks }) => [
    `${label} ${fate}`,
    ...hunks.flatMap((hunk) => [hunk.label, ...hunk.lines]),
  ]);
  const isWhole = rows.length <= maxLines && rows.reduce((sum, row) => sum + row.length, 0) <= maxChars;
  const short = files.map((file) => ({
    ...file,
    hunks: file.hunks.map((hunk) => ({
      ...hunk,
      lines: beginning(hunk.lines),
    })),
  }));
  return { description: request.description, markdown: '', files: isWhole ? files : short, isWhole };
}

/** The first lines of a hunk that is too long for the view, and how many follow. Each line wraps once at most. */
function beginning(lines: readonly string[]): readonly string[] {
  const first = lines.slice(0, 4).map((line) => truncate(line, 80));
  const left = lines.length - first.length;
  return left === 0 ? first : [...first, `… ${vscode.l10n.t('{0} more lines in the diff', left)}`];
}

function fileOf(review: ReviewState, file: ReviewFile, at: number): QuestionFile {
  return {
    label: showHiddenLine(file.edit.label),
    fate: review.isStale(at) ? staleTitle(review) : (fileFate(file) ?? ''),
    hunks: file.hunks.map((hunk, number) => ({
      label: hunkLabel(hunk),
      lines: [...signed('−', hunk.removed), ...signed('+', hunk.added)],
      isAccepted: review.choiceOf({ file: at, hunk: number }) === 'accepted',
    })),
  };
}

/** A line feed is left out; where there is none, or another line break, the diff says so. */
function signed(sign: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const text = `${sign} ${showHidden(line.replace(/\n$/u, ''))}`;
    return line.endsWith('\n') ? [text] : [text, `${sign} ${vscode.l10n.t('(no line break at the end)')}`];
  });
}

function choicesOf(review: ReviewState, offersYes: boolean): readonly QuestionChoice[] {
  const { request } = review;
  const deny: QuestionChoice = { does: 'deny', title: vscode.l10n.t('Deny') };
  const open: QuestionChoice = {
    does: 'review',
    title: diffShowsAll(request) ? openReviewText(review) : vscode.l10n.t('Show whole call'),
  };
  if (!offersYes) return [{ ...open, title: vscode.l10n.t('Review…') }, deny];
  // Where nothing is accepted there is nothing to be allowed.
  if (review.choiceOf() === 'rejected') return [deny, open];
  const isPart = review.choiceOf() === 'partial';
  const yes = isPart || review.countOf().total > 1 ? applyText(review) : vscode.l10n.t('Allow once');
  const always = request.decisions.includes('allow-always') ? (['always'] as const) : [];
  // A part is nothing to be allowed for more than once.
  const covered = isPart ? [] : [...request.wider, ...always];
  return [
    { does: 'once', title: yes },
    deny,
    ...covered.map((does) => ({ does, title: coveredText(request, does) })),
    open,
  ];
}
