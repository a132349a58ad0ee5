import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import { createTimer } from '../../base/createTimer.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { createRefresher } from '../trees/createRefresher.ts';
import { answerNote, hitItems, noIcons, noteItem, type HitItem } from './hitItems.ts';

/** The hits for what stands in a picker's box. */
interface HitList extends Disposable {
  /** Never rejects: a failure stands in the list. */
  search(): Promise<void>;
  /** After a short pause, while one types. */
  searchSoon(): void;
  /** Resolves once the list holds the hits for what stands in the box now. */
  catchUp(): Promise<void>;
}

/** Who types on does not want the words before. Milliseconds. */
const typingMs = 80;
const maxHits = 20;
/** How often hits follow what is being indexed. Milliseconds. */
const refreshMs = 700;

/** Fills the picker, and fills it again where more was indexed; `mayChange` is false while the user looks at something else. */
export function createHitList(
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
export function searchTitle(note?: string): string {
  const name = vscode.l10n.t('Search memory');
  return note === undefined ? name : `${name} · ${note}`;
}

export function searchPlaceholder(note?: string): string {
  const text = vscode.l10n.t('A question, some words, a file name or an id');
  return note === undefined ? text : `${text} (${note})`;
}

function failureItem(error: unknown): HitItem {
  const hint = error instanceof PincerError ? (error.hint ?? '') : '';
  const why = inertLine(`${errorMessage(error)} ${hint}`, 300);
  return noteItem(vscode.l10n.t('The memory could not be searched'), noIcons(why));
}
