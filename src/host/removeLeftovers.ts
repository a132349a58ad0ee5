import { join } from 'node:path';
import type { Clock, FileSystem } from './ports.ts';

/** How `FileSystem.writeFile` names what it has not put into its place yet. */
const unfinished = /^\.pincer-[\da-f-]+\.tmp$/u;
/** What is younger may still be written by somebody. */
const minAgeMs = 10 * 60_000;

/**
 * Removes what processes left in a folder that were killed while they wrote: each may be as large as a whole index. `entries` is what
 * the folder holds.
 */
export async function removeLeftovers(
  fs: Pick<FileSystem, 'lstat' | 'remove'>,
  folder: string,
  entries: Awaited<ReturnType<FileSystem['readDirectory']>>,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  for (const { name, kind } of entries) {
    if (kind !== 'file' || !unfinished.test(name)) continue;
    const path = join(folder, name);
    const found = await fs.lstat(path);
    if (found !== undefined && clock.now() - found.mtimeMs > minAgeMs) await fs.remove(path);
  }
}
