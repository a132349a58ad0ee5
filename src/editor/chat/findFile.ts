import { resolve } from 'node:path';
import * as vscode from 'vscode';
import { isInside } from '../../plugins/discover/isInside.ts';

/** The file of the workspace that a path in an answer is about; undefined where there is none. */
export type FindFile = (path: string) => Promise<vscode.Uri | undefined>;

/** Looks at the disk that one answer may cause: a model can name any number of paths. */
const maxLooks = 200;

/** For one answer. A path counts from the workspace's folders, each of which may stand in front of it by its name. */
export function createFindFile(): FindFile {
  const found = new Map<string, vscode.Uri>();
  let looks = 0;
  return async (path) => {
    const known = found.get(path);
    if (known !== undefined) return known;
    for (const uri of placesOf(path)) {
      if (looks >= maxLooks) return undefined;
      looks += 1;
      if (!(await isFile(uri))) continue;
      found.set(path, uri);
      return uri;
    }
    return undefined;
  };
}

// Threat: a model names a file that the user did not open, such as one of a share that only has to be looked at to send a login. So
// nothing outside of the workspace's folders is looked at.
function placesOf(path: string): readonly vscode.Uri[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return folders.flatMap(({ uri, name }) =>
    [path, ...(path.startsWith(`${name}/`) ? [path.slice(name.length + 1)] : [])]
      .map((each) => resolve(uri.fsPath, each))
      .filter((each) => isInside(uri.fsPath, each))
      .map((each) => vscode.Uri.file(each)),
  );
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    return (type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}
