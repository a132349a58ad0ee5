import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isMarkdownName, markdownExtensions } from '../../base/markdownNames.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { AgentWrites } from '../host/agentWrites.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { watchFiles } from '../watchFiles.ts';
import { createChangeCollector } from './createChangeCollector.ts';

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
    if (uris.every(({ path }) => isMarkdownName(path))) uris.forEach(add);
    else changes.addAll();
  };
  return vscode.Disposable.from(
    changes,
    watchNotes(add, () => changes.addAll()),
    // Whatever it is: the user's config may include other text than markdown.
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
