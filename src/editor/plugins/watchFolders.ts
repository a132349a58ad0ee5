import * as vscode from 'vscode';
import { watchFiles } from '../watchFiles.ts';
import type { Disposable } from '../../base/disposable.ts';

/** Watches folders that come and go. */
interface FolderWatchers extends Disposable {
  /** From now on these folders are watched, absolute paths, and no others. */
  watch(folders: readonly string[]): void;
}

/** `changed` is called for every change of a file below a folder that is watched. */
export function createFolderWatchers(changed: () => void): FolderWatchers {
  const watchers = new Map<string, vscode.Disposable>();
  return {
    watch(folders) {
      for (const [folder, watcher] of [...watchers]) {
        if (folders.includes(folder)) continue;
        watcher.dispose();
        watchers.delete(folder);
      }
      for (const folder of folders) {
        if (!watchers.has(folder))
          watchers.set(
            folder,
            watchFiles(new vscode.RelativePattern(vscode.Uri.file(folder), '**'), changed),
          );
      }
    },
    dispose() {
      vscode.Disposable.from(...watchers.values()).dispose();
      watchers.clear();
    },
  };
}
