import { dirname, basename } from 'node:path';
import * as vscode from 'vscode';
import { toDisposable, type Disposable } from '../../base/disposable.ts';
import { errorMessage } from '../../base/errors.ts';
import type { FileEdit } from '../../contracts/tool.ts';
import type { ReviewState } from './createReviewState.ts';

/** Keeps `isStale` of a review's files right: they may change on disk or in an editor while it waits. */
export function watchForChanges(review: ReviewState, warn: (problem: string) => void): Disposable {
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
