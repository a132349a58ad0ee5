import * as vscode from 'vscode';
import type { ApprovalBroker } from '../../approvals/approvalBroker.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { hasHiddenCharacters } from '../../base/text.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { readSetting } from '../readSetting.ts';
import { inBackground } from '../registerCommand.ts';
import { createReviews, type Reviews } from './createReviews.ts';
import { type ReviewState, choicesOf, type ReviewFile, type ReviewPart } from './createReviewState.ts';
import { registerReviewCommands } from './reviewCommands.ts';
import type { ReviewOf } from './createReviewOf.ts';
import { closeLeftovers, closeReviews, isReviewShown, openReview } from './reviewTabs.ts';
import { registerReviewTree } from './reviewTree.ts';
import { provideSides, proposedScheme, readReviewUri } from './reviewUris.ts';
import { hunkPlaces } from './hunkLines.ts';
import { dirname, basename } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import type { FileEdit } from '../../contracts/tool.ts';
import { applyText, countText, staleFiles, staleText, staleTitle } from './reviewTexts.ts';

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

/**
 * Strikes through the new lines of rejected hunks. The lines stay: what was refused can still be read and taken back, and
 * nothing moves under the cursor.
 */
function registerReviewMarks(reviews: Reviews): vscode.Disposable {
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

/** Keeps `isStale` of a review's files right: they may change on disk or in an editor while it waits. */
function watchForChanges(review: ReviewState, warn: (problem: string) => void): Disposable {
  let isOver = false;
  /** How often each file was looked at: an older look, which may have waited for the disk, must not undo a newer one. */
  const looks = review.files.map(() => 0);
  const check = async (file: number): Promise<void> => {
    const edit = review.files[file]?.edit;
    if (edit === undefined) return;
    const look = (looks[file] ?? 0) + 1;
    looks[file] = look;
    try {
      const isStale = !(await isAsBefore(edit));
      if (!isOver && looks[file] === look) review.setStale(file, isStale);
    } catch (error) {
      warn(`[review] ${edit.label} could not be compared: ${errorMessage(error)}`);
    }
  };
  const watchers = review.files.flatMap(({ edit }, file) => {
    void check(file);
    const recheck = (): void => void check(file);
    const pattern = new vscode.RelativePattern(vscode.Uri.file(dirname(edit.path)), escapeGlob(edit.path));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    return [
      watcher,
      watcher.onDidChange(recheck),
      watcher.onDidCreate(recheck),
      watcher.onDidDelete(recheck),
    ];
  });
  const documents = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    if (document.uri.scheme !== 'file') return;
    const file = review.files.findIndex(
      ({ edit }) => vscode.Uri.file(edit.path).fsPath === document.uri.fsPath,
    );
    if (file !== -1) void check(file);
  });
  return vscode.Disposable.from(
    documents,
    ...watchers,
    toDisposable(() => (isOver = true)),
  );
}

function escapeGlob(path: string): string {
  return basename(path).replace(/[*?[\]{}]/gu, '[$&]');
}

/** The text as the tool will find it: an unsaved document counts instead of the disk. */
async function isAsBefore({ path, before }: FileEdit): Promise<boolean> {
  const uri = vscode.Uri.file(path);
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (document?.isDirty === true)
    return before !== null && document.getText() === before.replace(/^\uFEFF/u, '');
  const bytes = await readIfThere(uri);
  if (bytes === undefined || before === null) return bytes === undefined && before === null;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) === before;
}

async function readIfThere(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/** More than these in one file are chosen by file or, at the cursor, by key. */
const maxLenses = 300;

/**
 * The choice where the change is: above each hunk what becomes of it, and the click that turns it round. VS Code waits a quarter of a second
 * before it asks for lenses, and another before it draws them: for that long they show what was. So each click sets what it names, in
 * place of the contrary, and the yes says what it was drawn for.
 */
function registerReviewLenses(reviews: Reviews): vscode.Disposable {
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
    ? lens(line, vscode.l10n.t('✓ Selected'), vscode.l10n.t('Written when you apply'))
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
