import * as vscode from 'vscode';
import { choicesOf, type ReviewFile, type ReviewPart, type ReviewState } from './createReviewState.ts';
import type { Reviews } from './createReviews.ts';
import { hunkPlaces } from './hunkLines.ts';
import { applyText, countText, staleFiles, staleText, staleTitle } from './reviewTexts.ts';
import { proposedScheme, readReviewUri } from './reviewUris.ts';

/** More than these in one file are chosen by file or, at the cursor, by key. */
const maxLenses = 300;

/**
 * The choice where the change is: above each hunk what becomes of it, and the click that turns it round. VS Code waits a quarter of a second
 * before it asks for lenses, and another before it draws them: for that long they show what was. So each click sets what it names, in
 * place of the contrary, and the yes says what it was drawn for.
 */
export function registerReviewLenses(reviews: Reviews): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    reviews.onDidChange(() => changed.fire()),
    vscode.languages.registerCodeLensProvider(
      { scheme: proposedScheme },
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses(document) {
          const address = readReviewUri(document.uri);
          const review = address === undefined ? undefined : reviews.find(address.approvalId);
          return review === undefined || address?.file === undefined
            ? []
            : lensesOf(review, address.file, document);
        },
      },
    ),
  );
}

function lensesOf(review: ReviewState, file: number, document: vscode.TextDocument): vscode.CodeLens[] {
  const shown = review.files[file];
  if (shown === undefined) return [];
  // The place behind a last line without end is no line.
  const lineAt = (line: number): number => Math.min(line, document.lineCount - 1);
  const places = hunkPlaces(shown, 'after').slice(0, maxLenses);
  return [
    ...(file === 0 ? answerLenses(review) : []),
    ...fileLenses(review, shown, file),
    ...places.flatMap(({ start }, hunk) => hunkLenses(review, { file, hunk }, lineAt(start))),
  ];
}

/** Above the first file what a click makes of the whole request. */
function answerLenses(review: ReviewState): vscode.CodeLens[] {
  const argument = { approvalId: review.request.id };
  const at = new vscode.Range(0, 0, 0, 0);
  const deny = new vscode.CodeLens(at, {
    title: vscode.l10n.t('Deny'),
    tooltip: vscode.l10n.t('Nothing is written'),
    command: 'pincer.review.reject',
    arguments: [argument],
  });
  if (review.choiceOf() === 'rejected') return [deny];
  const apply = new vscode.CodeLens(at, {
    title: applyText(review),
    tooltip: vscode.l10n.t('Writes what is accepted; the rest stays as it is'),
    command: 'pincer.review.accept',
    arguments: [{ ...argument, drawnFor: choicesOf(review) }],
  });
  return [apply, deny];
}

/** Above the first line what goes for the whole file. */
function fileLenses(review: ReviewState, shown: ReviewFile, file: number): vscode.CodeLens[] {
  const count = shown.hunks.length;
  const lenses = staleFiles(review).includes(file)
    ? [lens(0, `$(warning)\u00A0${staleTitle(review)}`, staleText(review, shown))]
    : [];
  if (count > maxLenses) {
    const text = vscode.l10n.t(
      '{0} hunks: only the first {1} have their own Accept and Reject',
      count,
      maxLenses,
    );
    lenses.push(lens(0, `$(info)\u00A0${text}`));
  }
  if (count < 2) return lenses;
  const choice = review.choiceOf({ file });
  lenses.push(lens(0, vscode.l10n.t('{0} selected', countText(review, { file }))));
  if (choice !== 'accepted') lenses.push(choiceLens(0, review, { file }, true));
  if (choice !== 'rejected') lenses.push(choiceLens(0, review, { file }, false));
  return lenses;
}

function hunkLenses(review: ReviewState, part: Required<ReviewPart>, line: number): vscode.CodeLens[] {
  const isAccepted = review.choiceOf(part) === 'accepted';
  // Apply and Deny say it all.
  if (isAccepted && review.countOf().total === 1) return [];
  const state = isAccepted
    ? lens(line, vscode.l10n.t('✓ Selected'), vscode.l10n.t('A yes writes it'))
    : lens(line, vscode.l10n.t('✗ Rejected'), vscode.l10n.t('The old lines stay'));
  return [state, choiceLens(line, review, part, !isAccepted)];
}

/** A lens that does nothing is plain text. */
function lens(line: number, title: string, tooltip = ''): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { command: '', title, tooltip });
}

function choiceLens(
  line: number,
  { request }: ReviewState,
  part: ReviewPart,
  accepts: boolean,
): vscode.CodeLens {
  const isHunk = part.hunk !== undefined;
  const titles = isHunk
    ? [vscode.l10n.t('✓ Accept'), vscode.l10n.t('✗ Reject')]
    : [vscode.l10n.t('✓ Accept file'), vscode.l10n.t('✗ Reject file')];
  const commands = isHunk
    ? ['pincer.review.acceptHunk', 'pincer.review.rejectHunk']
    : ['pincer.review.acceptFile', 'pincer.review.rejectFile'];
  const which = accepts ? 0 : 1;
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
    title: titles[which] ?? '',
    command: commands[which] ?? '',
    arguments: [{ approvalId: request.id, ...part }],
  });
}
