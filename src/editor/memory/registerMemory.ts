import * as vscode from 'vscode';
import type { AgentWrites } from '../host/agentWrites.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerMemoryCommands } from './memoryCommands.ts';
import { registerMemoryFiles } from './registerMemoryFiles.ts';
import { createMemoryTree } from './memoryTree.ts';
import { registerSessionDocuments } from './sessionDocuments.ts';
import { setContextKey } from '../setContextKey.ts';
import { registerCommand } from '../registerCommand.ts';
import type { OpenSearch } from './openSearch.ts';
import { createTimer } from '../../base/createTimer.ts';
import type { MemoryProgress } from '../../memory/memory.ts';
import { progressCount, progressText } from './memoryTexts.ts';

/** Everything of the memory that the window shows: the view, the search, the progress, and what tells it of changed files. */
export function registerMemory(
  runtime: LazyRuntime,
  agentWrites: AgentWrites,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const tree = createMemoryTree(runtime);
  return vscode.Disposable.from(
    tree,
    registerMemoryCommands(runtime, tree),
    registerMemorySearch(runtime, log),
    registerMemoryProgress(runtime),
    registerMemoryFiles(runtime, agentWrites),
    registerSessionDocuments(runtime),
  );
}

/** Search Memory: hits while one types, each shown in the editor as it is reached. */
function registerMemorySearch(runtime: LazyRuntime, log: vscode.LogOutputChannel): vscode.Disposable {
  let open: OpenSearch | undefined;
  return vscode.Disposable.from(
    registerCommand('pincer.memory.search', async (query) => {
      const seed = typeof query === 'string' ? query : selectedText();
      const { openSearch } = await import('../onDemand.ts');
      open?.close();
      // It does not wait for the runtime to load: who presses the key types on.
      const search = openSearch(runtime, seed, (problem) => log.warn(`[memory] ${problem}`));
      open = search;
      setContextKey('pincer.isSearchingMemory', true);
      await search.closed;
      if (open !== search) return;
      open = undefined;
      setContextKey('pincer.isSearchingMemory', false);
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

/** Work that is done sooner is not worth a movement in the status bar. Milliseconds. */
const patience = 1_000;

/** Long work of the memory in the status bar; a click offers to stop it. Nothing shows otherwise. */
function registerMemoryProgress(runtime: LazyRuntime): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('pincer.memory', vscode.StatusBarAlignment.Right, 89);
  item.name = vscode.l10n.t('Pincer memory');
  item.command = 'pincer.memory.showProgress';
  let isLong = false;
  const attached = runtime.whenLoaded(({ memory }) => {
    const timer = createTimer(patience, () => {
      isLong = true;
      setContextKey('pincer.memoryWorking', true);
      show();
    });
    const show = (): void => {
      const progress = memory.progress();
      if (progress === undefined) {
        timer.stop();
        if (isLong) setContextKey('pincer.memoryWorking', false);
        isLong = false;
        item.hide();
      } else if (isLong) draw(item, progress);
      else timer.start();
    };
    show();
    return vscode.Disposable.from(memory.onDidChange(show), timer);
  });
  return vscode.Disposable.from(item, attached);
}

function draw(item: vscode.StatusBarItem, progress: MemoryProgress): void {
  const count = progressCount(progress);
  item.text = ['$(sync~spin)', vscode.l10n.t('Memory'), count].filter(Boolean).join(' ');
  const text = vscode.l10n.t('Pincer memory: {0}', progressText(progress));
  item.tooltip = `${text}\n${vscode.l10n.t('Searches work meanwhile. Click to stop it.')}`;
  item.accessibilityInformation = { label: text, role: 'button' };
  item.show();
}
