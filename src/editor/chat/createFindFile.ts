import { lstat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import * as vscode from 'vscode';
import { isInside } from '../../plugins/discover/isInside.ts';

/** The file of the workspace that a path in an answer is about; undefined where there is none. */
export type FindFile = (path: string) => Promise<vscode.Uri | undefined>;

/** Most files that one answer may look for on disk: a model can name any number of paths. */
const maxLooks = 200;

/** For one answer. A path counts from the workspace's folders, each of which may stand in front of it by its name. */
export function createFindFile(): FindFile {
  const found = new Map<string, vscode.Uri | undefined>();
  let looks = 0;
  return async (path) => {
    if (found.has(path)) return found.get(path);
    for (const place of placesOf(path)) {
      if (looks >= maxLooks) return undefined;
      looks += 1;
      if (!(await isFile(place))) continue;
      const uri = vscode.Uri.file(place.file);
      found.set(path, uri);
      return uri;
    }
    found.set(path, undefined);
    return undefined;
  };
}

// Threat: a model names a file that the user did not open, such as one of a share that only has to be looked at to send a login. So
// nothing outside of the workspace's folders is looked at, nor what lies behind a link in them.
function placesOf(path: string): readonly FileLocation[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return folders.flatMap(({ uri, name }) =>
    [path, ...(path.startsWith(`${name}/`) ? [path.slice(name.length + 1)] : [])]
      .map((each) => resolve(uri.fsPath, each))
      .filter((each) => isInside(uri.fsPath, each))
      .map((file) => ({ folder: uri.fsPath, file })),
  );
}

interface FileLocation {
  /** Absolute, as `file` in it. */
  readonly folder: string;
  readonly file: string;
}

async function isFile({ folder, file }: FileLocation): Promise<boolean> {
  try {
    let at = folder;
    for (const part of relative(folder, dirname(file)).split(sep)) {
      at = join(at, part);
      if (at !== folder && !(await lstat(at)).isDirectory()) return false;
    }
    return (await lstat(file)).isFile();
  } catch {
    return false;
  }
}
