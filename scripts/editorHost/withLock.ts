import { rmSync } from 'node:fs';
import { mkdir, open, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface LockOptions {
  /** Called once when another process holds the lock. */
  readonly onWait: () => void;
  /** A holder that has not shown a sign of life for so long is taken for dead. Milliseconds, default 10 000. */
  readonly staleAfter?: number;
  /** How often the holder shows a sign of life and a waiter looks. Milliseconds, default 500. */
  readonly interval?: number;
}

/**
 * Runs `work` while this process holds the lock file. The lock saves double work and no more: the work itself must stay
 * correct when two processes do it at once (a holder that was suspended and comes back).
 */
export async function withLock<T>(file: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const { onWait, staleAfter = 10_000, interval = 500 } = options;
  await mkdir(dirname(file), { recursive: true });
  for (let waited = false; !(await tryCreate(file)); waited = true) {
    if (!waited) onWait();
    if (await isOlderThan(file, staleAfter)) await rm(file, { force: true });
    else await delay(interval);
  }
  const beat = setInterval(() => void touch(file), interval);
  const removeOnExit = (): void => rmSync(file, { force: true });
  process.once('exit', removeOnExit);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(file, { force: true });
    process.off('exit', removeOnExit);
  }
}

async function tryCreate(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    await handle.close();
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function isOlderThan(file: string, age: number): Promise<boolean> {
  try {
    return Date.now() - (await stat(file)).mtimeMs > age;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch((error: unknown) => {
    // Another process took the lock over and is done with it: nothing is left to keep alive.
    if (!hasCode(error, 'ENOENT')) throw error;
  });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
