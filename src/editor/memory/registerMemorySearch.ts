import * as vscode from 'vscode';
import { setContextKey } from '../setContextKey.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import type { OpenSearch } from './openSearch.ts';

/** Search Memory: hits while one types, each shown in the editor as it is reached. */
export function registerMemorySearch(runtime: LazyRuntime, log: vscode.LogOutputChannel): vscode.Disposable {
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
