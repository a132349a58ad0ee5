import { join } from 'node:path';
import type { FileSystem } from '../../../host/ports.ts';
import { inBatches, type BatchPace } from '../inBatches.ts';
import type { FoundFile } from '../memoryFiles.ts';

export interface TranscriptOptions extends BatchPace {
  readonly fs: FileSystem;
  /** Absolute; one `.jsonl` for each session lies in it. */
  readonly folder: string;
}

/** Sessions are named by the program: anything else in the folder is none. */
const transcriptName = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/u;

/**
 * The transcripts of earlier sessions, the newest first, labelled `sessions/<id>.jsonl`. None where the folder is not there yet.
 * @throws PincerError `io_*` where it can't be listed, `cancelled`
 */
export async function findTranscripts(options: TranscriptOptions): Promise<readonly FoundFile[]> {
  const { fs, folder } = options;
  if ((await fs.stat(folder))?.kind !== 'directory') return [];
  const entries = await fs.readDirectory(folder);
  const files = entries.filter(({ kind }) => kind === 'file');
  const found = await inBatches(files, options, ({ name }) => transcriptAt(fs, folder, name));
  return found.filter((file) => file !== undefined).sort((a, b) => b.modified - a.modified);
}

/** The transcript of this name; undefined where it is none. @throws PincerError `io_*` */
export async function transcriptAt(
  fs: FileSystem,
  folder: string,
  name: string,
): Promise<FoundFile | undefined> {
  if (!transcriptName.test(name)) return undefined;
  const path = join(folder, name);
  const stat = await fs.lstat(path);
  if (stat?.kind !== 'file') return undefined;
  const modified = Math.floor(stat.mtimeMs);
  return { path, label: `sessions/${name}`, source: 'sessions', bytes: stat.size, modified };
}
