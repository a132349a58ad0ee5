import * as vscode from 'vscode';
import { planFolderGlobs, type FolderGlobs } from './folderGlobs.ts';

/** The settings whose change the memory has to hear of. */
export const memorySettings = ['pincer.memory.include', 'pincer.memory.exclude', 'files.exclude'] as const;

/** What the settings of VS Code say now about which files of a folder the memory holds. */
export function readFolderGlobs(folder: vscode.Uri): FolderGlobs {
  const settings = vscode.workspace.getConfiguration('pincer', folder);
  return planFolderGlobs({
    include: settings.inspect('memory.include') ?? {},
    exclude: settings.inspect('memory.exclude') ?? {},
    filesExclude: vscode.workspace.getConfiguration('files', folder).get('exclude'),
  });
}
