import { posix } from 'node:path';
import * as vscode from 'vscode';
import { namedRow } from '../namedRow.ts';
import { setContextKey } from '../setContextKey.ts';
import { createRowOpener } from '../trees/createRowOpener.ts';
import { inertLine } from '../../base/text.ts';
import type { ReviewState, ReviewPart } from './createReviewState.ts';
import type { Reviews } from './createReviews.ts';
import { summarizeHunk } from './hunkLines.ts';
import { countText, fileFate, hunkLabel, staleFiles, staleText } from './reviewTexts.ts';

/** Hunks of one file with a row of their own. */
const maxRows = 200;

/** By then VS Code has asked for the rows that it was told of. Milliseconds. */
const quietMs = 400;
const maxLooks = 5;
/** Up to so many hunks the files are open from the start. */
const maxOpen = 60;

/** The edits that wait, each file and hunk with a tick. The view shows only while there are any. */
export function registerReviewTree(reviews: Reviews): vscode.Disposable {
  const rows = createReviewRows(reviews);
  const changed = new vscode.EventEmitter<ReviewRow[] | undefined>();
  const opener = createRowOpener<ReviewRow>('pincer.review', () => view);
  const view: vscode.TreeView<ReviewRow> = vscode.window.createTreeView<ReviewRow>('pincer.review', {
    manageCheckboxStateManually: true,
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (row) => [...(row === undefined ? rows.top() : rows.under(row))],
      getTreeItem: (row) => {
        const item = itemOf(reviews, row);
        if (!given.has(row) && item.collapsibleState === vscode.TreeItemCollapsibleState.Expanded)
          open.add(row);
        given.set(row, lookOf(reviews, row));
        asked.add(row);
        return opener.withoutArguments(row, namedRow(item));
      },
    },
  });
  let drawn: ReadonlyMap<ReviewRow, string> = new Map();
  /** How each row looked when VS Code last asked for it. */
  const given = new WeakMap<ReviewRow, string>();
  /** The rows that VS Code has asked for since it was told that there are others. */
  let asked = new WeakSet<ReviewRow>();
  const open = new WeakSet<ReviewRow>();
  let again: NodeJS.Timeout | undefined;
  const refresh = (): void => {
    const pending = reviews.pending();
    const [only, ...others] = pending;
    view.description =
      only === undefined || others.length > 0 || only.countOf().total === 1
        ? ''
        : vscode.l10n.t('{0} selected', countText(only));
    view.message = staleMessage(pending);
    setContextKey('pincer.hasPendingEdits', pending.length > 0);
    const now = new Map(rows.top().map((row) => [row, lookOf(reviews, row)]));
    const isSame = drawn.size === now.size && [...now.keys()].every((row) => drawn.has(row));
    const stale = [...now.keys()].filter((row) => drawn.get(row) !== now.get(row));
    drawn = now;
    // VS Code drops a click on a row that is just being drawn anew: only those that look different are.
    if (!isSame) tell(undefined);
    else if (stale.length > 0) tell(stale);
    clearTimeout(again);
    again = setTimeout(() => lookAgain(maxLooks), quietMs);
  };
  const tell = (told: ReviewRow[] | undefined): void => {
    if (told === undefined) asked = new WeakSet();
    else for (const under of told.flatMap((row) => [...rows.under(row)])) asked.delete(under);
    changed.fire(told);
  };
  /** VS Code's copy of a row is old, or it is open and VS Code has not asked for what stands under it. */
  const isOld = (row: ReviewRow, look: string): boolean =>
    given.get(row) !== look || (open.has(row) && rows.under(row).some((under) => !asked.has(under)));
  /** VS Code drops word of a change that comes while it is still reading the rows: what it has old is told again. */
  const lookAgain = (looks: number): void => {
    if (!view.visible || looks === 0) return;
    const old = [...drawn].filter(([row, look]) => isOld(row, look)).map(([row]) => row);
    if (old.length === 0) return;
    tell(old.every((row) => asked.has(row)) ? old : undefined);
    again = setTimeout(() => lookAgain(looks - 1), quietMs);
  };
  return vscode.Disposable.from(
    view,
    opener,
    changed,
    reviews.onDidChange(refresh),
    view.onDidCollapseElement(({ element }) => open.delete(element)),
    view.onDidExpandElement(({ element }) => open.add(element)),
    { dispose: () => clearTimeout(again) },
    view.onDidChangeCheckboxState(({ items }) => {
      for (const [row, state] of items) {
        const isAccepted = state === vscode.TreeItemCheckboxState.Checked;
        reviews.find(row.approvalId)?.choose(isAccepted, row);
      }
    }),
  );
}

/** Says first what would make an answer worth nothing. */
function staleMessage(pending: readonly ReviewState[]): string {
  const texts = pending.flatMap((review) =>
    staleFiles(review).flatMap((file) => {
      const shown = review.files[file];
      return shown === undefined ? [] : [staleText(review, shown)];
    }),
  );
  return texts[0] ?? '';
}

/** The same where a row and those under it look the same. */
function lookOf(reviews: Reviews, { approvalId, file }: ReviewRow): string {
  const review = reviews.find(approvalId);
  const files = file === undefined ? [...(review?.files.keys() ?? [])] : [file];
  return files
    .map((each) => {
      const hunks = [...(review?.files[each]?.hunks.keys() ?? [])];
      const ticks = hunks.map((hunk) => review?.choiceOf({ file: each, hunk }));
      return `${review?.isStale(each) === true}:${ticks.join()}`;
    })
    .join(';');
}

function itemOf(reviews: Reviews, row: ReviewRow): vscode.TreeItem {
  const review = reviews.find(row.approvalId);
  if (review === undefined) return new vscode.TreeItem('');
  const item = row.more === true ? moreItem(review, row) : partItem(review, row);
  item.id = [row.approvalId, row.file, row.hunk].join('/');
  return item;
}

function partItem(review: ReviewState, row: ReviewRow): vscode.TreeItem {
  const item = hunkItem(review, row) ?? fileItem(review, row) ?? requestItem(review);
  const isRejected = review.choiceOf(row) === 'rejected';
  const label = typeof item.label === 'string' ? item.label : '';
  item.checkboxState = {
    state: isRejected ? vscode.TreeItemCheckboxState.Unchecked : vscode.TreeItemCheckboxState.Checked,
    // Nobody has answered yet: a tick is what a yes would take.
    tooltip: isRejected ? vscode.l10n.t('Not selected') : vscode.l10n.t('Selected'),
    accessibilityInformation: { label: `${label} ${String(item.description ?? '')}` },
  };
  if (row.file !== undefined) {
    const title = vscode.l10n.t('Show in the diff');
    item.command = { command: 'pincer.review.reveal', title, arguments: [row] };
  }
  return item;
}

function requestItem(review: ReviewState): vscode.TreeItem {
  const item = new vscode.TreeItem(review.request.title, vscode.TreeItemCollapsibleState.Expanded);
  item.description = vscode.l10n.t('{0} selected', countText(review));
  item.contextValue = 'reviewRequest';
  return item;
}

function fileItem(review: ReviewState, { file }: ReviewRow): vscode.TreeItem | undefined {
  const shown = file === undefined ? undefined : review.files[file];
  if (file === undefined || shown === undefined) return undefined;
  const { edit, hunks } = shown;
  const isStale = review.isStale(file);
  const open = review.countOf().total <= maxOpen;
  const state = open ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
  const item = new vscode.TreeItem(
    inertLine(posix.basename(edit.label), 120),
    hunks.length > 1 ? state : vscode.TreeItemCollapsibleState.None,
  );
  const folder = posix.dirname(edit.label);
  const facts = [
    isStale ? vscode.l10n.t('changed since') : undefined,
    fileFate(shown),
    hunks.length > 1 ? countText(review, { file }) : firstHunkText(review, file),
    folder === '.' ? undefined : inertLine(folder, 120),
  ];
  item.description = facts.filter((fact) => fact !== undefined && fact !== '').join(' · ');
  item.resourceUri = vscode.Uri.file(edit.path);
  item.iconPath = isStale
    ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
    : vscode.ThemeIcon.File;
  item.tooltip = isStale ? `${edit.label}\n${staleText(review, shown)}` : edit.label;
  return item;
}

/** The only hunk of a file has no row of its own. */
function firstHunkText(review: ReviewState, file: number): string | undefined {
  const [hunk] = review.files[file]?.hunks ?? [];
  return hunk === undefined ? undefined : hunkLabel(hunk);
}

function hunkItem(review: ReviewState, { file, hunk }: ReviewRow): vscode.TreeItem | undefined {
  const shown = file === undefined || hunk === undefined ? undefined : review.files[file]?.hunks[hunk];
  if (shown === undefined) return undefined;
  const item = new vscode.TreeItem(hunkLabel(shown));
  item.description = summarizeHunk(shown).sample;
  item.tooltip = tooltipOf([
    ...shown.removed.map((line) => `− ${line}`),
    ...shown.added.map((line) => `+ ${line}`),
  ]);
  return item;
}

const maxTooltipLines = 20;

/** Plain text, so that nothing in it is a link. */
function tooltipOf(lines: readonly string[]): string {
  const shown = lines.slice(0, maxTooltipLines).map((line) => inertLine(line, 160));
  return [...shown, ...(lines.length > maxTooltipLines ? ['…'] : [])].join('\n');
}

function moreItem(review: ReviewState, { file }: ReviewRow): vscode.TreeItem {
  const count = (file === undefined ? undefined : review.files[file]?.hunks.length) ?? 0;
  const item = new vscode.TreeItem(vscode.l10n.t('{0} more hunks', count - maxRows));
  item.description = vscode.l10n.t("choose them in the diff, or all with the file's checkbox");
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  return item;
}

/** A request, one of its files, or one hunk of that; `more` is the note under a file with too many. */
interface ReviewRow extends ReviewPart {
  readonly approvalId: string;
  readonly more?: true;
}

/** The rows of the Review view. VS Code knows a row by its object: a part has the same one as long as its request waits. */
interface ReviewRows {
  /** The requests; the files where there is only one. */
  top(): readonly ReviewRow[];
  under(row: ReviewRow): readonly ReviewRow[];
}

function createReviewRows(reviews: Pick<Reviews, 'pending' | 'find'>): ReviewRows {
  const known = new WeakMap<ReviewState, Map<string, ReviewRow>>();
  const rowOf = (review: ReviewState, part: Omit<ReviewRow, 'approvalId'>): ReviewRow => {
    const rows = known.get(review) ?? new Map<string, ReviewRow>();
    known.set(review, rows);
    const key = `${String(part.file)}/${String(part.hunk)}`;
    const row = rows.get(key) ?? { approvalId: review.request.id, ...part };
    rows.set(key, row);
    return row;
  };
  const filesOf = (review: ReviewState): readonly ReviewRow[] =>
    [...review.files.keys()].map((file) => rowOf(review, { file }));

  return {
    top() {
      const pending = reviews.pending();
      const [only, ...others] = pending;
      return only !== undefined && others.length === 0
        ? filesOf(only)
        : pending.map((review) => rowOf(review, {}));
    },
    under({ approvalId, file, hunk }) {
      const review = reviews.find(approvalId);
      if (review === undefined || hunk !== undefined) return [];
      if (file === undefined) return filesOf(review);
      const count = review.files[file]?.hunks.length ?? 0;
      if (count < 2) return [];
      const rows = [...Array(Math.min(count, maxRows)).keys()].map((each) =>
        rowOf(review, { file, hunk: each }),
      );
      return count > maxRows ? [...rows, rowOf(review, { file, hunk: maxRows, more: true })] : rows;
    },
  };
}
