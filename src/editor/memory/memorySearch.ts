import * as vscode from 'vscode';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import type { MemoryHit } from '../../memory/memory.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { inBackground, registerCommand } from '../registerCommand.ts';
import { createRefresher } from './createRefresher.ts';
import { explainHit, type Explanation } from './explainHit.ts';
import {
  answerNote,
  forgetButton,
  hitItems,
  noIcons,
  noteItem,
  whyButton,
  type HitItem,
} from './hitItems.ts';
import { forgetFile } from './memoryCommands.ts';
import { createPreviews } from './previews.ts';

/** Who types on does not want the words before. Milliseconds. */
const typingMs = 80;
const maxHits = 20;
/** How often hits follow what is being indexed. Milliseconds. */
const refreshMs = 700;

/** Search Memory: hits while one types, each shown in the editor as it is reached. */
export function registerMemorySearch(runtime: LazyRuntime, log: vscode.LogOutputChannel): vscode.Disposable {
  let open: OpenSearch | undefined;
  return vscode.Disposable.from(
    registerCommand('pincer.memory.search', async (query) => {
      open?.close();
      // It stands there at once, also where the runtime has yet to load: who presses the key types on.
      const search = openSearch(runtime, typeof query === 'string' ? query : selectedText(), (problem) =>
        log.warn(`[memory] ${problem}`),
      );
      open = search;
      await search.closed;
      if (open === search) open = undefined;
    }),
    registerCommand('pincer.memory.searchKey', (key) => {
      if (key === 'explain') open?.explain();
      else if (key === 'forget') open?.forget();
      else open?.cancel();
    }),
    { dispose: () => open?.close() },
  );
}

/** What is selected in the editor is often what is looked for; more than a line is not. */
function selectedText(): string {
  const editor = vscode.window.activeTextEditor;
  if (editor?.selection.isSingleLine !== true) return '';
  return editor.document.getText(editor.selection).trim().slice(0, 200);
}

interface OpenSearch {
  /** Says why the active hit is one. */
  explain(): void;
  /** Forgets the file of the active hit. */
  forget(): void;
  /** Closes it and brings back the editors as they were. */
  cancel(): void;
  /** Closes it; what is shown stays. */
  close(): void;
  readonly closed: Promise<void>;
}

function openSearch(runtime: LazyRuntime, seed: string, warn: (problem: string) => void): OpenSearch {
  const picker = vscode.window.createQuickPick<HitItem>();
  const previews = createPreviews(warn);
  let controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  /** The list of reasons, while it stands in the picker's place. */
  let explanation: Explanation | undefined;
  /** Not all was indexed when it was searched. */
  let isPartial = false;
  let end = (): void => undefined;
  const closed = new Promise<void>((resolve) => (end = resolve));

  const search = async (): Promise<void> => {
    controller.abort();
    const { signal } = (controller = new AbortController());
    const query = picker.value.trim();
    picker.busy = query !== '';
    picker.title = title();
    if (query === '') {
      picker.items = [];
      return;
    }
    try {
      const { memory } = await runtime.get();
      const answer = await memory.search(query, { maxResults: maxHits }, signal);
      if (signal.aborted) return;
      picker.items = hitItems(answer, query);
      picker.title = title(answerNote(answer));
      if (answer.vector.state === 'off') picker.placeholder = placeholder(vscode.l10n.t('text search only'));
      isPartial = answer.indexing !== undefined;
    } catch (error) {
      if (signal.aborted) return;
      const hint = error instanceof PincerError ? (error.hint ?? '') : '';
      const why = `${errorMessage(error)} ${hint}`.trim();
      picker.items = [
        noteItem(vscode.l10n.t('The memory could not be searched'), noIcons(inertLine(why, 300))),
      ];
    }
    picker.busy = false;
  };
  // More may be found once more is indexed; the list stays as it is for who has begun to go through it.
  const refresher = createRefresher(refreshMs, async () => {
    const [first] = picker.items;
    const isUntouched = picker.activeItems.length === 0 || picker.activeItems[0] === first;
    const isWorthIt = first?.hit === undefined || runtime.peek()?.memory.progress() === undefined;
    if (isPartial && isUntouched && isWorthIt && explanation === undefined) await search();
  });
  const changes = runtime.whenLoaded(({ memory }) => memory.onDidChange(() => refresher.request()));
  const searchSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void search(), typingMs);
  };
  const explain = async (item: HitItem): Promise<void> => {
    if (item.hit === undefined) return;
    explanation = explainHit(item.hit, picker.items.indexOf(item) + 1);
    await explanation.closed;
    explanation = undefined;
    picker.show();
    // Shown again, it has forgotten its entries.
    picker.items = [...picker.items];
    picker.activeItems = [item];
  };
  const forget = async ({ hit }: HitItem): Promise<void> => {
    if (hit === undefined) return;
    await forgetFile(hit, await runtime.get());
    await search();
  };
  const finish = async (last: (() => Promise<void>) | undefined): Promise<void> => {
    clearTimeout(timer);
    refresher.dispose();
    changes.dispose();
    controller.abort();
    picker.dispose();
    await vscode.commands.executeCommand('setContext', isSearching, false);
    try {
      await last?.();
    } finally {
      previews.dispose();
      end();
    }
  };

  // VS Code would sort the hits by how well their labels fit the letters. Only proposed API names the switch; where it is
  // missing, hits whose headings fit stand first.
  Object.assign(picker, { sortByLabel: false });
  picker.title = title();
  picker.placeholder = placeholder();
  picker.value = seed;
  picker.onDidChangeValue(searchSoon);
  picker.onDidChangeActive(([item]) => {
    if (item?.hit !== undefined) previews.show(item.hit);
  });
  let accepted: MemoryHit | undefined;
  let isCancelled = false;
  picker.onDidAccept(() => {
    accepted = picker.activeItems[0]?.hit;
    if (accepted !== undefined) picker.hide();
  });
  picker.onDidTriggerItemButton(({ item, button }) => {
    if (button === whyButton) inBackground(explain(item));
    if (button === forgetButton) inBackground(forget(item));
  });
  picker.onDidHide(() => {
    if (explanation !== undefined) return;
    const hit = accepted;
    // Who clicks into the editor wants to stay there.
    const last =
      hit !== undefined ? () => previews.open(hit) : isCancelled ? () => previews.restore() : undefined;
    inBackground(finish(last));
  });
  void vscode.commands.executeCommand('setContext', isSearching, true);
  picker.show();
  if (seed !== '') void search();

  const active = (run: (item: HitItem) => Promise<void>) => () => {
    const [item] = picker.activeItems;
    if (item !== undefined && explanation === undefined) inBackground(run(item));
  };
  return {
    explain: active(explain),
    forget: active(forget),
    cancel() {
      if (explanation !== undefined) explanation.close();
      else {
        isCancelled = true;
        picker.hide();
      }
    },
    close() {
      explanation?.close();
      picker.hide();
    },
    closed,
  };
}

/** Keys of the search work while it is open. */
const isSearching = 'pincer.isSearchingMemory';

function title(note?: string): string {
  const name = vscode.l10n.t('Search memory');
  return note === undefined ? name : `${name} · ${note}`;
}

function placeholder(note?: string): string {
  const text = vscode.l10n.t('A question, some words, a file name or an id');
  return note === undefined ? text : `${text} (${note})`;
}
