import type { FileSystem } from '../../../host/ports.ts';
import type { FoundFile } from '../memoryFiles.ts';

/** A file before its size and time are known. */
export interface TakenFile {
  readonly path: string;
  readonly realPath: string;
  readonly label: string;
}

/** Undefined where it is gone meanwhile, or something else took its place. @throws PincerError `io_*` */
export async function measureFile(fs: FileSystem, file: TakenFile): Promise<FoundFile | undefined> {
  const stat = await fs.lstat(file.realPath);
  if (stat?.kind !== 'file') return undefined;
  // Whole milliseconds, so that a time is the same after it was stored.
  return { ...file, source: 'memory', bytes: stat.size, modified: Math.floor(stat.mtimeMs) };
}
