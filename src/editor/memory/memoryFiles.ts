import { basename } from 'node:path';
import * as vscode from 'vscode';
import { toDisposable, type Disposable } from '../../base/disposable.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { AgentWrites } from '../host/agentWrites.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { createChangeCollector, type ChangeCollector } from './createChangeCollector.ts';
import { readFolderGlobs } from './readFolderGlobs.ts';

/** Tells the memory what changes on disk, from when the runtime is loaded; a memory that does not run looks for itself when it starts. */
export function registerMemoryFiles(runtime: LazyRuntime, agentWrites: AgentWrites): Disposable {
  return runtime.whenLoaded((loaded) => watch(loaded, agentWrites));
}

function watch({ memory }: Runtime, agentWrites: AgentWrites): vscode.Disposable {
  const changes = createChangeCollector(memory);
  const add = (uri: vscode.Uri): void => {
    if (uri.scheme !== 'file') return;
    if (basename(uri.path) === '.gitignore') changes.addAll();
    else changes.add(uri.fsPath);
  };
  const addMoved = (uris: readonly vscode.Uri[]): void => {
    // What was moved or removed may be a folder, and nobody tells what lay in it.
    if (uris.every(isMarkdown)) uris.forEach(add);
    else changes.addAll();
  };
  let watchers = watchFiles(add, changes);
  return vscode.Disposable.from(
    changes,
    vscode.workspace.onDidSaveTextDocument(({ uri }) => add(uri)),
    vscode.workspace.onDidCreateFiles(({ files }) => addMoved(files)),
    vscode.workspace.onDidDeleteFiles(({ files }) => addMoved(files)),
    vscode.workspace.onDidRenameFiles(({ files }) =>
      addMoved(files.flatMap(({ oldUri, newUri }) => [oldUri, newUri])),
    ),
    agentWrites.onDidWrite((paths) => paths.forEach((path) => add(vscode.Uri.file(path)))),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('pincer.memory.include')) return;
      watchers.dispose();
      watchers = watchFiles(add, changes);
    }),
    toDisposable(() => void watchers.dispose()),
  );
}

/** Markdown and what else the settings include; folders that come and go; the commit that is checked out. */
function watchFiles(add: (uri: vscode.Uri) => void, changes: ChangeCollector): vscode.Disposable {
  const included = (vscode.workspace.workspaceFolders ?? []).flatMap((folder) =>
    (readFolderGlobs(folder.uri).include ?? []).map((glob) => new vscode.RelativePattern(folder, glob)),
  );
  const addAll = (): void => changes.addAll();
  const files = ['**/*.md', '**/.gitignore', ...included].map((glob) =>
    listen(vscode.workspace.createFileSystemWatcher(glob), add),
  );
  // A folder that is moved or removed as a whole is one event of its own; names with an ending are files, mostly.
  const folders = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
  const noteFolder = (uri: vscode.Uri): void => {
    if (mayBeFolderOfNotes(uri.path)) addAll();
  };
  const head = vscode.workspace.createFileSystemWatcher('**/.git/HEAD');
  return vscode.Disposable.from(
    ...files,
    folders,
    folders.onDidCreate(noteFolder),
    folders.onDidDelete(noteFolder),
    listen(head, addAll),
  );
}

function listen(watcher: vscode.FileSystemWatcher, note: (uri: vscode.Uri) => void): vscode.Disposable {
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(note),
    watcher.onDidChange(note),
    watcher.onDidDelete(note),
  );
}

function isMarkdown(uri: vscode.Uri): boolean {
  return uri.path.toLowerCase().endsWith('.md');
}

/** False for what is never indexed, or is a file by its name. */
function mayBeFolderOfNotes(path: string): boolean {
  const names = path.split('/');
  const isHidden = names.some(
    (name) => name === 'node_modules' || (name.startsWith('.') && name !== '.pincer'),
  );
  return !isHidden && !basename(path).includes('.');
}
