import { PincerError } from '../base/errors.ts';
import type { FileSystem } from '../host/ports.ts';
import { applyToDisk } from './applyToDisk.ts';
import { decodeText } from './textEncoding.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

/** Above this no tool reads a file as text. */
const maxTextBytes = 10_000_000;

/** Files as they are on disk, without an editor. */
export function createDiskFiles(fs: FileSystem): WorkspaceFiles {
  return {
    readText: async (path, root) => {
      const stat = await fs.lstat(path);
      if (stat === undefined) return undefined;
      if (stat.size > maxTextBytes) throw tooLarge(path, stat.size);
      return decodeText(await readFrom(fs, path, maxTextBytes, root), path);
    },
    readBytes: (path, maxBytes, root) => readFrom(fs, path, maxBytes, root),
    apply: (changes) => applyToDisk(fs, changes),
  };
}

function readFrom(
  fs: FileSystem,
  path: string,
  maxBytes: number,
  root: string | undefined,
): Promise<Uint8Array> {
  return root === undefined ? fs.readFile(path, maxBytes) : fs.readExact({ root, path }, maxBytes);
}

function tooLarge(path: string, bytes: number): PincerError {
  const megabytes = (bytes / 1_000_000).toFixed(1);
  return new PincerError('file_too_large', `${path} has ${megabytes} MB; text is read up to 10 MB.`, {
    hint: 'Ask the user for the part that matters.',
  });
}
