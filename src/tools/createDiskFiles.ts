import { PincerError } from '../base/errors.ts';
import type { FileSystem } from '../host/ports.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

/** Above this no tool reads a file as text. */
const maxTextBytes = 10_000_000;
/** A NUL byte in the first part of a file is what Git, too, takes as binary. */
const binaryProbe = 8_000;

/** Files as they are on disk, without an editor. */
export function createDiskFiles(fs: FileSystem): WorkspaceFiles {
  return {
    readText: async (path) => {
      const stat = await fs.lstat(path);
      if (stat === undefined) return undefined;
      if (stat.size > maxTextBytes) throw tooLarge(path, stat.size);
      return decodeText(await fs.readFile(path, maxTextBytes), path);
    },
    readBytes: (path, maxBytes) => fs.readFile(path, maxBytes),
    async apply(changes) {
      for (const { path, after } of changes) {
        if (after === null) await fs.remove(path);
        else await fs.writeFile(path, after);
      }
      return changes.map(({ path, after }) => ({ path, text: after }));
    },
  };
}

function tooLarge(path: string, bytes: number): PincerError {
  const megabytes = (bytes / 1_000_000).toFixed(1);
  return new PincerError('file_too_large', `${path} has ${megabytes} MB; text is read up to 10 MB.`, {
    hint: 'Ask the user for the part that matters.',
  });
}

/**
 * UTF-8 text with everything that was in the file, the byte order mark too.
 * @throws PincerError `file_binary`, `file_not_utf8`: what is decoded only in part would be damaged when written back
 */
export function decodeText(bytes: Uint8Array, path: string): string {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (!utf16 && bytes.subarray(0, binaryProbe).includes(0)) {
    throw new PincerError('file_binary', `${path} is a binary file.`, {
      hint: 'Only text can be read and changed.',
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new PincerError('file_not_utf8', `${path} is text in another encoding than UTF-8.`, {
      hint: 'Ask the user to save it as UTF-8.',
      cause: error,
    });
  }
}
