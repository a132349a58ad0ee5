import { basename } from 'node:path';
import * as vscode from 'vscode';
import { createTimer } from '../../base/createTimer.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isMarkdownName, markdownExtensions } from '../../base/markdownNames.ts';
import type { MemoryProgress } from '../../memory/memory.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { AgentWrites } from '../host/agentWrites.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { setContextKey } from '../setContextKey.ts';
import { watchFiles } from '../watchFiles.ts';
import { createChangeCollector } from './createChangeCollector.ts';
import { registerMemoryCommands } from './memoryCommands.ts';
import { progressCount, progressText } from './memoryTexts.ts';
import { createMemoryTree } from './memoryTree.ts';
import type { OpenSearch } from './openSearch.ts';
import { registerSessionDocuments } from './sessionDocuments.ts';

/** The memory in the window: its view, its search, its progress, and the news of changed files that it gets. */
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
      // Opens before the runtime is loaded: who presses the key types on.
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

/** Work that is done sooner does not show in the status bar. Milliseconds. */
const showAfterMs = 1_000;

/** Long work of the memory in the status bar; a click offers to stop it. Nothing shows otherwise. */
function registerMemoryProgress(runtime: LazyRuntime): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('pincer.memory', vscode.StatusBarAlignment.Right, 89);
  item.name = vscode.l10n.t('Pincer memory');
  item.command = 'pincer.memory.showProgress';
  let isLong = false;
  const attached = runtime.whenLoaded(({ memory }) => {
    const timer = createTimer(showAfterMs, () => {
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
      } else if (isLong) showWork(item, progress);
      else timer.start();
    };
    show();
    return vscode.Disposable.from(memory.onDidChange(show), timer);
  });
  return vscode.Disposable.from(item, attached);
}

function showWork(item: vscode.StatusBarItem, progress: MemoryProgress): void {
  const count = progressCount(progress);
  item.text = ['$(sync~spin)', vscode.l10n.t('Memory'), count].filter(Boolean).join(' ');
  const text = vscode.l10n.t('Pincer memory: {0}', progressText(progress));
  item.tooltip = `${text}\n${vscode.l10n.t('Searches work meanwhile. Click to stop it.')}`;
  item.accessibilityInformation = { label: text, role: 'button' };
  item.show();
}

/** Tells the memory what changes on disk once the runtime is loaded. What changed before, the memory finds when it starts. */
function registerMemoryFiles(runtime: LazyRuntime, agentWrites: AgentWrites): Disposable {
  return runtime.whenLoaded(({ memory }) => watchMemoryFiles(memory, agentWrites));
}

function watchMemoryFiles(memory: Runtime['memory'], agentWrites: AgentWrites): vscode.Disposable {
  const changes = createChangeCollector(memory);
  const add = (uri: vscode.Uri): void => {
    if (uri.scheme !== 'file') return;
    if (basename(uri.path) === '.gitignore') changes.addAll();
    else changes.add(uri.fsPath);
  };
  const addMoved = (uris: readonly vscode.Uri[]): void => {
    // It may be a folder, and nobody tells what lay in it.
    if (uris.every(({ path }) => isMarkdownName(path))) uris.forEach(add);
    else changes.addAll();
  };
  return vscode.Disposable.from(
    changes,
    watchNotes(add, () => changes.addAll()),
    // Any document: the user's config may include text other than markdown.
    vscode.workspace.onDidSaveTextDocument(({ uri }) => add(uri)),
    vscode.workspace.onDidCreateFiles(({ files }) => addMoved(files)),
    vscode.workspace.onDidDeleteFiles(({ files }) => addMoved(files)),
    vscode.workspace.onDidRenameFiles(({ files }) =>
      addMoved(files.flatMap(({ oldUri, newUri }) => [oldUri, newUri])),
    ),
    agentWrites.onDidWrite((paths) => paths.forEach((path) => add(vscode.Uri.file(path)))),
  );
}

/** Markdown and what keeps it out; folders that come and go; the commit that is checked out. */
function watchNotes(add: (uri: vscode.Uri) => void, addAll: () => void): vscode.Disposable {
  // A folder that is moved or removed as a whole is one event of its own; names with an ending are files, mostly.
  const folders = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
  const addFolder = (uri: vscode.Uri): void => {
    if (mayBeFolderOfNotes(uri)) addAll();
  };
  return vscode.Disposable.from(
    watchFiles(`**/*.{${markdownExtensions.join(',')}}`, add),
    watchFiles('**/.gitignore', add),
    watchFiles('**/.git/HEAD', addAll),
    folders,
    folders.onDidCreate(addFolder),
    folders.onDidDelete(addFolder),
  );
}

/** False for what is never indexed, or is a file by its name. */
function mayBeFolderOfNotes(uri: vscode.Uri): boolean {
  const names = vscode.workspace.asRelativePath(uri).split('/');
  const isHidden = names.some(
    (name) => name === 'node_modules' || (name.startsWith('.') && name !== '.pincer'),
  );
  return !isHidden && !basename(uri.path).includes('.');
}
