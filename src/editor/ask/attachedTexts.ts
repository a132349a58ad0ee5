import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';

/** Texts that were attached to a message and lie in no file: of an untitled document, of a notebook's cell. */
export interface AttachedTexts extends Disposable {
  /** Keeps a text, and says where the panel finds it. */
  hold(name: string, text: string): vscode.Uri;
}

const scheme = 'pincer-held';

/** The oldest goes when there are more. */
const maxHeld = 20;

/** The panel attaches only what a file system answers for, so this is a small one that nobody writes to. */
export function registerAttachedTexts(): AttachedTexts {
  const texts = new Map<string, Uint8Array>();
  let count = 0;
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const textAt = (uri: vscode.Uri): Uint8Array => {
    const text = texts.get(uri.path);
    if (text === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return text;
  };
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const registered = vscode.workspace.registerFileSystemProvider(
    scheme,
    {
      onDidChangeFile: changed.event,
      watch: () => new vscode.Disposable(() => undefined),
      stat: (uri) => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: textAt(uri).byteLength }),
      readFile: textAt,
      readDirectory: refuse,
      createDirectory: refuse,
      writeFile: refuse,
      delete: refuse,
      rename: refuse,
    },
    { isReadonly: true },
  );
  return {
    hold(name, text) {
      count += 1;
      const path = `/${String(count)}/${name.replace(/[/\\]/gu, '_')}`;
      texts.set(path, new TextEncoder().encode(text));
      for (const oldest of [...texts.keys()].slice(0, -maxHeld)) texts.delete(oldest);
      return vscode.Uri.from({ scheme, path });
    },
    dispose() {
      registered.dispose();
      changed.dispose();
    },
  };
}
