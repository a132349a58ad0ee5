import { createHash } from 'node:crypto';
import { PincerError } from '../../base/errors.ts';
import type { FileStat, FileSystem } from '../../host/ports.ts';
import { decodeText } from './decodeText.ts';
import type { FoundFile, ReadResult } from './memoryFiles.ts';
import { renderTranscript } from './sessions/renderTranscript.ts';

export interface ReadOptions {
  /** Default 10 MB, and 20 MB for transcripts, which hold images too. A larger file is not opened. */
  readonly maxBytes?: number;
}

/** Whatever is larger is no notes. */
const defaultMaxBytes = { memory: 10_000_000, sessions: 20_000_000 };
/** A file that is being written is read once more; what changes again waits for the next look. */
const attempts = 2;

/**
 * Reads a file as text, with the hash of its bytes. What it gives is what the file said at one moment: it is looked at before and
 * after, and must still lie where it was found. Of a transcript it is what was said, without what looks like a key. Never blocks on what is no regular file, and throws only what is a bug.
 */
export async function readMemoryFile(
  fs: FileSystem,
  file: FoundFile,
  options: ReadOptions = {},
): Promise<ReadResult> {
  const maxBytes = options.maxBytes ?? defaultMaxBytes[file.source];
  try {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const result = await readOnce(fs, file, maxBytes);
      if (result !== 'changed') return result;
    }
    return { kind: 'left-out', reason: 'it kept changing while it was read', file };
  } catch (error) {
    if (!(error instanceof PincerError)) throw error;
    if (error.code === 'io_not_found') return { kind: 'gone' };
    return { kind: 'left-out', reason: reasonOf(error, maxBytes), file };
  }
}

async function readOnce(fs: FileSystem, file: FoundFile, maxBytes: number): Promise<ReadResult | 'changed'> {
  const path = file.realPath ?? file.path;
  const before = await fs.lstat(path);
  if (before === undefined) return { kind: 'gone' };
  const looked = { ...file, bytes: before.size, modified: Math.floor(before.mtimeMs) };
  if (before.kind !== 'file') return { kind: 'left-out', reason: 'it is not a regular file', file: looked };
  if (before.size > maxBytes) return { kind: 'left-out', reason: tooLarge(maxBytes), file: looked };
  const bytes = await fs.readFile(path, maxBytes);
  const after = await fs.lstat(path);
  if (after === undefined || !isSame(before, after) || bytes.length !== after.size) return 'changed';
  // A folder above it became a link: what was read is another file.
  if (file.realPath !== undefined && (await fs.realpath(path)) !== path) return { kind: 'gone' };
  const text = decodeText(bytes);
  if (text === undefined) return { kind: 'left-out', reason: 'it is not text', file: looked };
  const hash = createHash('sha256').update(bytes).digest('hex');
  const said = file.source === 'sessions' ? renderTranscript(text).text : text;
  return { kind: 'text', text: said, hash, file: looked };
}

function isSame(a: FileStat, b: FileStat): boolean {
  return a.kind === b.kind && a.size === b.size && a.mtimeMs === b.mtimeMs;
}

function tooLarge(maxBytes: number): string {
  return `it is larger than ${String(maxBytes / 1_000_000)} MB`;
}

function reasonOf(error: PincerError, maxBytes: number): string {
  if (error.code === 'io_too_large') return tooLarge(maxBytes);
  return error.code === 'io_not_a_file' ? 'it is not a regular file' : `it can't be read (${error.message})`;
}
