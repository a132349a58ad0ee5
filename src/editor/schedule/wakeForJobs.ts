import { readdir, readFile } from 'node:fs/promises';

interface WakePorts {
  /** Calls it once, later; what it gives back takes that away. */
  readonly after: (ms: number, run: () => void) => () => void;
  readonly hasJobs: () => Promise<boolean>;
  readonly isLoaded: () => boolean;
  /** Loads the runtime, which starts jobs from then on. */
  readonly load: () => Promise<unknown>;
  readonly failed: (error: unknown) => void;
}

/** As often as the schedule itself looks for jobs that others have added. Milliseconds. */
const pollIntervalMs = 60_000;

/**
 * Loads the runtime as soon as there are jobs: they start while a window is open, whether or not anybody uses it, and a terminal or another
 * window may add the first one at any time. It asks the disk again and again, since a folder that is not there yet can't be watched.
 * Gives back what ends it.
 */
export function wakeForJobs({ after, hasJobs, isLoaded, load, failed }: WakePorts): () => void {
  let isOver = false;
  let cancel = (): void => undefined;
  const look = async (): Promise<void> => {
    if (isLoaded()) return;
    if (await hasJobs()) await load();
    else if (!isOver) cancel = after(pollIntervalMs, start);
  };
  const start = (): void => void look().catch(failed);
  start();
  return () => {
    isOver = true;
    cancel();
  };
}

/** Whether the workspace has jobs, or the user's config makes one by heartbeat turns. Never rejects: what is not there has none. */
export async function findsJobs(jobsFolder: string, configPath: string): Promise<boolean> {
  const [names, config] = await Promise.all([
    readdir(jobsFolder).catch(() => []),
    readFile(configPath, 'utf8').catch(() => ''),
  ]);
  // Without both words there are none, and the window starts without the runtime.
  const hasHeartbeat = /\bheartbeat\b/u.test(config) && /\beveryMinutes\b["']?\s*:\s*\d/u.test(config);
  return names.length > 0 || hasHeartbeat;
}
