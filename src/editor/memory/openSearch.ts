import * as vscode from 'vscode';
import { citationOf, type MemoryHit } from '../../memory/memory.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { inBackground } from '../registerCommand.ts';
import { forgetFile } from './forgetFile.ts';
import {
  forgetButton,
  noIcons,
  whyButton,
  type HitItem,
  answerNote,
  hitItems,
  noteItem,
} from './hitItems.ts';
import { createPreviews } from './previews.ts';
import { inertLine } from '../../base/text.ts';
import { describeWhy } from '../../memory/ranking/describeWhy.ts';
import type { Disposable } from '../../base/disposable.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { createTimer } from '../../base/createTimer.ts';
import { createRefresher } from '../trees/createRefresher.ts';

/** Who types on does not want the words before. Milliseconds. */
const typingMs = 80;

const maxHits = 20;

/** How often hits follow what is being indexed. Milliseconds. */
const refreshMs = 700;

/** A search that is open. */
export interface OpenSearch {
  /** Says why the active hit is one. */
  explain(): void;
  /** Forgets the file of the active hit. */
  forget(): void;
  /** Closes it, or the reasons that stand in its place, and brings back the editors as they were. */
  cancel(): void;
  /** Closes it; what is shown stays. */
  close(): void;
  readonly closed: Promise<void>;
}

/** Shows the search at once, with `seed` in its box. The active hit is shown in the editor, the accepted one opened. */
export function openSearch(runtime: LazyRuntime, seed: string, warn: (problem: string) => void): OpenSearch {
  const picker = createPicker(seed);
  const previews = createPreviews(warn);
  /** The list of reasons, while it stands in the picker's place. */
  let explanation: Explanation | undefined;
  const hits = createHitList(runtime, picker, () => explanation === undefined);
  let accepted: MemoryHit | undefined;
  let isCancelled = false;
  let isOver = false;

  const explain = async (item: HitItem): Promise<void> => {
    if (item.hit === undefined) return;
    explanation = explainHit(item.hit, picker.items.indexOf(item) + 1);
    await explanation.closed;
    explanation = undefined;
    if (isOver) return;
    picker.show();
    // Shown again, it has forgotten its entries.
    picker.items = [...picker.items];
    picker.activeItems = [item];
  };
  const forget = async ({ hit }: HitItem): Promise<void> => {
    if (hit === undefined) return;
    await forgetFile(hit, await runtime.get());
    await hits.search();
  };
  /** Who types and presses Enter wants the first hit of all that was typed; who went down the list wants that one. */
  const accept = async (): Promise<void> => {
    const [active] = picker.activeItems;
    const isFirst = active === undefined || active === picker.items[0];
    if (isFirst) await hits.catchUp();
    if (isOver) return;
    accepted = (isFirst ? picker.items[0] : active)?.hit;
    if (accepted !== undefined) picker.hide();
  };
  const finish = async (): Promise<void> => {
    isOver = true;
    hits.dispose();
    picker.dispose();
    try {
      // Who clicks into the editor wants to stay there.
      if (accepted !== undefined) await previews.open(accepted);
      else if (isCancelled) await previews.restore();
    } finally {
      previews.dispose();
    }
  };

  picker.onDidChangeValue(() => hits.searchSoon());
  picker.onDidChangeActive(([item]) => {
    if (item?.hit !== undefined) previews.show(item.hit);
  });
  picker.onDidAccept(() => inBackground(accept()));
  picker.onDidTriggerItemButton(({ item, button }) => {
    if (button === whyButton) inBackground(explain(item));
    if (button === forgetButton) inBackground(forget(item));
  });
  let end = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    end = () => {
      if (!isOver) inBackground(finish());
      resolve();
    };
  });
  picker.onDidHide(() => {
    if (explanation === undefined) end();
  });
  picker.show();
  if (seed !== '') void hits.search();

  const withActive = (run: (item: HitItem) => Promise<void>) => (): void => {
    const [item] = picker.activeItems;
    if (item !== undefined && explanation === undefined) inBackground(run(item));
  };
  return {
    explain: withActive(explain),
    forget: withActive(forget),
    cancel() {
      if (explanation !== undefined) {
        explanation.close();
        return;
      }
      isCancelled = true;
      picker.hide();
    },
    close() {
      end();
      explanation?.close();
    },
    closed,
  };
}

function createPicker(seed: string): vscode.QuickPick<HitItem> {
  const picker = vscode.window.createQuickPick<HitItem>();
  // VS Code would sort the hits by how well their labels fit the letters. Only proposed API names the switch; where it is
  // missing, hits whose headings fit stand first.
  Object.assign(picker, { sortByLabel: false });
  picker.title = searchTitle();
  picker.placeholder = searchPlaceholder();
  picker.value = seed;
  return picker;
}

/** The list of reasons; it closes when the user goes back. */
interface Explanation {
  readonly closed: Promise<void>;
  close(): void;
}

/** Shows why a hit ranks where it does. */
function explainHit(hit: MemoryHit, rank: number): Explanation {
  const list = vscode.window.createQuickPick();
  list.title = vscode.l10n.t('Why {0} is number {1}', inertLine(citationOf(hit), 120), rank);
  list.placeholder = vscode.l10n.t('Escape goes back to the hits');
  list.buttons = [vscode.QuickInputButtons.Back];
  list.items = [
    {
      label: vscode.l10n.t('Score {0}', hit.score.toFixed(2)),
      description: vscode.l10n.t('0 to 1, within this search'),
    },
    ...describeWhy(hit).map((row) => ({ label: noIcons(inertLine(row, 300)), alwaysShow: true })),
  ];
  const closed = new Promise<void>((resolve) => {
    list.onDidTriggerButton(() => list.hide());
    list.onDidAccept(() => list.hide());
    list.onDidHide(() => {
      list.dispose();
      resolve();
    });
  });
  list.show();
  return { closed, close: () => list.hide() };
}

/** The hits for what stands in a picker's box. */
interface HitList extends Disposable {
  /** Never rejects: a failure stands in the list. */
  search(): Promise<void>;
  /** After a short pause, while one types. */
  searchSoon(): void;
  /** Resolves once the list holds the hits for what stands in the box now. */
  catchUp(): Promise<void>;
}

/** Fills the picker, and fills it again where more was indexed; `mayChange` is false while the user looks at something else. */
function createHitList(
  runtime: LazyRuntime,
  picker: vscode.QuickPick<HitItem>,
  mayChange: () => boolean,
): HitList {
  let controller = new AbortController();
  /** Not all was indexed when it was searched. */
  let isPartial = false;
  /** What was searched last, and the end of that search. */
  let searched = '';
  let searching: Promise<void> = Promise.resolve();

  const find = async (query: string, signal: AbortSignal): Promise<void> => {
    const { memory } = await runtime.get();
    const answer = await memory.search(query, { maxResults: maxHits }, signal);
    if (signal.aborted) return;
    isPartial = answer.indexing !== undefined;
    picker.items = hitItems(answer, query);
    picker.title = searchTitle(answerNote(answer));
    if (answer.vector.state === 'off')
      picker.placeholder = searchPlaceholder(vscode.l10n.t('text search only'));
  };
  const searchNow = async (): Promise<void> => {
    controller.abort();
    const { signal } = (controller = new AbortController());
    const query = picker.value.trim();
    searched = query;
    picker.busy = query !== '';
    picker.title = searchTitle();
    isPartial = false;
    if (query === '') {
      picker.items = [];
      return;
    }
    try {
      await find(query, signal);
    } catch (error) {
      if (!signal.aborted) picker.items = [failureItem(error)];
    }
    if (!signal.aborted) picker.busy = false;
  };
  const search = (): Promise<void> => (searching = searchNow());

  // More may be found once more is indexed; the list stays as it is for who has begun to go through it.
  const refresher = createRefresher(refreshMs, async () => {
    const [first] = picker.items;
    const isUntouched = picker.activeItems.length === 0 || picker.activeItems[0] === first;
    const isWorthIt = first?.hit === undefined || runtime.peek()?.memory.progress() === undefined;
    if (isPartial && isUntouched && isWorthIt && mayChange()) await search();
  });
  const changes = runtime.whenLoaded(({ memory }) => memory.onDidChange(() => refresher.request()));

  const timer = createTimer(typingMs, () => void search());
  return {
    search,
    searchSoon: timer.restart,
    async catchUp() {
      timer.stop();
      await (picker.value.trim() === searched ? searching : search());
    },
    dispose() {
      timer.dispose();
      controller.abort();
      changes.dispose();
      refresher.dispose();
    },
  };
}

/** `note` says what the hits lack. */
function searchTitle(note?: string): string {
  const name = vscode.l10n.t('Search memory');
  return note === undefined ? name : `${name} · ${note}`;
}

function searchPlaceholder(note?: string): string {
  const text = vscode.l10n.t('A question, some words, a file name or an id');
  return note === undefined ? text : `${text} (${note})`;
}

function failureItem(error: unknown): HitItem {
  const hint = error instanceof PincerError ? (error.hint ?? '') : '';
  const why = inertLine(`${errorMessage(error)} ${hint}`, 300);
  return noteItem(vscode.l10n.t('The memory could not be searched'), noIcons(why));
}
