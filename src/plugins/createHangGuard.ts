// Threat: an endless loop in a plugin stops the whole process, and would do so again at every start. So before a plugin's
// code runs, a file says that it is about to; where that file is still there later, it never came back. A window that is
// killed at the wrong moment leaves one, too, and that must not switch a guard off: only two of them count.
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { PincerError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import type { Clock, FileSystem } from '../host/ports.ts';
import { pluginFolderName } from './pluginFolderName.ts';
import { settlesWithin } from '../host/settlesWithin.ts';

/** Notices plugins whose code never returned. */
export interface HangGuard {
  /** True where this very content of the plugin did not come back two times, and never since. */
  hasHung(id: string, content: string): Promise<boolean>;
  /** Runs `work`, which evaluates code of the plugin; calls run one after the other, so that the right one is blamed. */
  watch<T>(id: string, content: string, work: () => Promise<T>): Promise<T>;
}

interface HangGuardParts {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly stateDir: string;
  /** Default: asks the system. */
  readonly isAlive?: (pid: number) => boolean;
}

const markSchema = z.object({ id: z.string(), hash: z.string(), pid: z.int(), at: z.number() });

type Mark = z.infer<typeof markSchema> & { readonly file: string };

/** Longer than a plugin may take to load and register; another window may still be at it until then. */
const othersTimeoutMs = 90_000;
/** Code that waits has returned to the event loop: it does not hang, and others need not wait for it. */
const yieldAfterMs = 1_000;
const maxMarkBytes = 10_000;
const marksOfAHang = 2;

/**
 * Keeps a small file in `<stateDir>/loading` each time that a plugin's code is evaluated, so that no window touches the mark
 * of another that is at it. One for all loads of a window.
 */
export function createHangGuard(parts: HangGuardParts): HangGuard {
  const { fs, clock, isAlive = isProcessAlive } = parts;
  const folder = join(parts.stateDir, 'loading');
  let queue: Promise<unknown> = Promise.resolve();

  /** Runs after what came before; lets the next begin when `work` is done or waits for something. */
  const inTurn = async <T>(turn: {
    readonly before: () => Promise<void>;
    readonly work: () => Promise<T>;
    readonly after: () => Promise<void>;
  }): Promise<T> => {
    const start = queue.then(turn.before);
    const running = start.then(turn.work);
    const over = start.then(() => settlesWithin(running, yieldAfterMs, clock)).then(turn.after);
    queue = over.catch(() => undefined);
    await Promise.allSettled([running, over]);
    await over;
    return await running;
  };

  const marksOf = async (id: string): Promise<readonly Mark[]> => {
    if ((await fs.stat(folder)) === undefined) return [];
    // No other id has this name and a dot behind it.
    const own = (await fs.readDirectory(folder)).filter(
      ({ name, kind }) => kind === 'file' && name.startsWith(`${pluginFolderName(id)}.`),
    );
    const marks = await Promise.all(own.map(({ name }) => readMark(fs, join(folder, name))));
    return marks.filter((mark) => mark !== undefined);
  };

  /** Its process is gone or, hanging itself, at it for longer than it may be. */
  const isLeft = ({ pid, at }: Mark): boolean => !isAlive(pid) || clock.now() - at > othersTimeoutMs;

  return {
    async hasHung(id, content) {
      const hash = hashOf(content);
      const left = (await marksOf(id)).filter((mark) => mark.hash === hash && isLeft(mark));
      return left.length >= marksOfAHang;
    },
    watch(id, content, work) {
      const file = join(folder, `${pluginFolderName(id)}.${randomUUID()}.json`);
      const mark = { id, hash: hashOf(content), pid: process.pid };
      return inTurn({
        before: () => fs.append(file, `${JSON.stringify({ ...mark, at: clock.now() })}\n`),
        work,
        async after() {
          await fs.remove(file);
          // It came back: windows that did not were killed.
          for (const each of await marksOf(id)) if (isLeft(each)) await fs.remove(each.file);
        },
      });
    },
  };
}

async function readMark(fs: FileSystem, file: string): Promise<Mark | undefined> {
  try {
    const mark = markSchema.safeParse(parseJson(await fs.readText(file, maxMarkBytes)));
    return mark.success ? { ...mark.data, file } : undefined;
  } catch (error) {
    // Another window may have taken it away by now; and what can't be read blames nobody.
    if (error instanceof PincerError) return undefined;
    throw error;
  }
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

/** Whether there is a process of this number, whoever owns it. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // No permission to signal it: it is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
