// Threat: an endless loop in a plugin stops the whole process, and would do so again at every start. So before a plugin's
// code runs, a file says that it is about to; where that file is still there later, it never came back.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../base/json.ts';
import type { Clock, FileSystem } from '../host/ports.ts';
import { pluginFolderName } from './pluginFolderName.ts';

/** Notices plugins whose code never returned. */
export interface HangGuard {
  /** True where this very content of the plugin did not come back the last time. */
  hasHung(id: string, content: string): Promise<boolean>;
  /** Runs `work`, which evaluates code of the plugin; calls run one after the other, so that the right one is blamed. */
  watch<T>(id: string, content: string, work: () => Promise<T>): Promise<T>;
}

export interface HangGuardParts {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly stateDir: string;
  /** Default: asks the system. */
  readonly isAlive?: (pid: number) => boolean;
}

const markSchema = z.object({ id: z.string(), hash: z.string(), pid: z.int(), at: z.number() });

/** Longer than a plugin may take to load and register; another window may still be at it until then. */
const othersPatienceMs = 90_000;
/** Code that waits has returned to the event loop: it does not hang, and others need not wait for it. */
const yieldAfterMs = 1_000;
const maxMarkBytes = 100_000;

/** Keeps a small file in `<stateDir>/loading` for each plugin while its code is evaluated. One for all loads of a window. */
export function createHangGuard(parts: HangGuardParts): HangGuard {
  const { fs, clock, stateDir, isAlive = isProcessAlive } = parts;
  const fileOf = (id: string): string => join(stateDir, 'loading', `${pluginFolderName(id)}.json`);
  let queue: Promise<unknown> = Promise.resolve();

  /** Runs after what came before; lets the next begin when `work` is done or waits for something. */
  const inTurn = async <T>(turn: {
    readonly before: () => Promise<void>;
    readonly work: () => Promise<T>;
    readonly after: () => Promise<void>;
  }): Promise<T> => {
    const start = queue.then(turn.before);
    const running = start.then(turn.work);
    const over = start.then(() => settledOrWaiting(running, clock)).then(turn.after);
    queue = over.catch(() => undefined);
    const result = await running.finally(() => queue);
    await over;
    return result;
  };

  return {
    async hasHung(id, content) {
      const file = fileOf(id);
      if ((await fs.stat(file)) === undefined) return false;
      const hash = hashOf(content);
      // One line for each window that was at it.
      const lines = (await fs.readText(file, maxMarkBytes)).split('\n');
      return lines.some((line) => {
        const mark = markSchema.safeParse(parseJson(line));
        if (!mark.success || mark.data.hash !== hash) return false;
        return clock.now() - mark.data.at > othersPatienceMs || !isAlive(mark.data.pid);
      });
    },
    watch(id, content, work) {
      const file = fileOf(id);
      const mark = { id, hash: hashOf(content), pid: process.pid };
      return inTurn({
        before: async () => {
          await fs.remove(file);
          await fs.append(file, `${JSON.stringify({ ...mark, at: clock.now() })}\n`);
        },
        work,
        after: () => fs.remove(file),
      });
    },
  };
}

async function settledOrWaiting(running: Promise<unknown>, clock: Clock): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = clock.after(yieldAfterMs, resolve);
    const settled = (): void => {
      stop();
      resolve();
    };
    running.then(settled, settled);
  });
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // No permission to signal it: it is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
