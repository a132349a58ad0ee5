import { basename } from 'node:path';
import type { OpenEngine } from '../openEngine.ts';

/** Takes a file out at once, and keeps it out. @throws PincerError `memory_forgotten_unreadable`, `io_*`: then nothing changed */
export async function forgetFile({ state, forgotten, work }: OpenEngine, path: string): Promise<void> {
  const known = state.index.file(path);
  await forgotten.add({ path, label: known?.label ?? basename(path), source: known?.source ?? 'memory' });
  work()?.drop(path);
}

/** Lets a file that was forgotten in again; it is read soon. Throws as `forgetFile`. */
export async function rememberFile({ forgotten, work }: OpenEngine, path: string): Promise<void> {
  await forgotten.remove(path);
  work()?.changes.add([path]);
}
