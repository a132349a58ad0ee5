import { basename } from 'node:path';
import type { OpenEngine } from '../openEngine.ts';

/** Takes a file out at once, and keeps it out. @throws PincerError `io_*` where that can't be written down */
export async function forgetFile({ state, forgotten, work }: OpenEngine, path: string): Promise<void> {
  const known = state.index.file(path);
  await forgotten.add({ path, label: known?.label ?? basename(path), source: known?.source ?? 'memory' });
  work()?.drop(path);
}

export async function rememberFile({ forgotten, work }: OpenEngine, path: string): Promise<void> {
  await forgotten.remove(path);
  work()?.changes.add([path]);
}
