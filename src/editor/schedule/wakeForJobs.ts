import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LazyRuntime } from '../lazyRuntime.ts';

/** Jobs start while a window is open, whether or not anybody uses it: where there are some, the runtime loads with the window. */
export async function wakeForJobs(runtime: LazyRuntime, stateFolder: string): Promise<void> {
  const names = await readdir(join(stateFolder, 'schedule', 'jobs')).catch(() => []);
  if (names.length > 0) await runtime.get();
}
