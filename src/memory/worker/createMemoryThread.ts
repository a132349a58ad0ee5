import { randomUUID } from 'node:crypto';
import { errorMessage } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Clock, Log } from '../../host/ports.ts';
import { settlesWithin } from '../../host/settlesWithin.ts';
import type { Workers, WorkerThread } from '../../host/workers.ts';
import type { MemoryEvent } from '../engine/engineParts.ts';
import type { MemoryPlace, MemorySettings } from '../memorySettings.ts';
import { createCrashLimit } from './createCrashLimit.ts';
import { createThreadCalls, type ThreadCalls } from './createThreadCalls.ts';
import { memoryDisabled, memoryStopped } from './errors.ts';
import type { ToThread } from './protocol.ts';

/** How long a thread may take to save and end before it is ended where it stands, in milliseconds. */
const closingMs = 10_000;

export interface MemoryThreadParts {
  readonly workers: Workers;
  readonly clock: Clock;
  readonly log: Log;
  /** Absolute path of the thread's program. */
  readonly workerFile: string;
  readonly place: MemoryPlace;
  /** False where the config switches the memory off. Asked at each start and each `reconfigure`, as `settings` is. */
  readonly isEnabled: () => boolean;
  readonly settings: () => Promise<MemorySettings> | MemorySettings;
}

/** The thread's life: started at the first need, and once more after it failed. */
export interface MemoryThread {
  /** @throws PincerError `memory_disabled`, `memory_stopped` */
  need(): Promise<ThreadCalls>;
  /** The calls of a thread that runs; undefined where none does. */
  running(): ThreadCalls | undefined;
  /** Gives a running thread the settings anew; ends it where they switch the memory off. */
  reconfigure(): Promise<void>;
  problems(): readonly Diagnostic[];
  /** Saves and ends it for good. */
  close(): Promise<void>;
}

interface Life {
  readonly instance: string;
  readonly thread: WorkerThread;
  readonly calls: ThreadCalls;
  /** Once it is meant to end. */
  ending?: Promise<void>;
}

/** `onEnd` is called when a thread has ended, meant or not. */
export function createMemoryThread(
  parts: MemoryThreadParts,
  on: { readonly event: (event: MemoryEvent) => void; readonly end: () => void },
): MemoryThread {
  const endedInstances: string[] = [];
  const crashes = createCrashLimit(parts.clock);
  let life: Life | undefined;
  let starting: Promise<ThreadCalls> | undefined;
  let ending: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  const ended = (old: Life, error: Error | undefined): void => {
    old.calls.fail(memoryStopped(error));
    // What it held, such as the right to write, is free now.
    endedInstances.push(old.instance);
    if (life === old) life = starting = undefined;
    if (old.ending !== undefined) return;
    crashes.add(error ?? new Error('it ended without a word'));
    parts.log.write('error', `The memory's thread failed: ${errorMessage(error ?? 'it ended')}`);
    on.end();
  };

  const start = async (): Promise<ThreadCalls> => {
    if (!parts.isEnabled()) throw memoryDisabled();
    crashes.check();
    const settings = await parts.settings();
    await ending;
    if (closing !== undefined) throw memoryStopped();
    const thread = parts.workers.start(parts.workerFile);
    const calls = createThreadCalls(thread, on.event);
    const instance = randomUUID();
    const started: Life = { instance, thread, calls };
    life = started;
    thread.onEnd((error) => ended(started, error));
    thread.post({ kind: 'open', place: parts.place, instance, endedInstances } satisfies ToThread);
    try {
      await calls.call('configure', [settings]);
    } catch (error) {
      await end(started);
      throw error;
    }
    return calls;
  };

  const end = (old: Life): Promise<void> => {
    if (life === old) life = starting = undefined;
    return (ending = old.ending ??= saveAndEnd(old));
  };

  const saveAndEnd = async (old: Life): Promise<void> => {
    const saved = old.calls
      .call('close', [])
      .catch((error: unknown) => parts.log.write('warn', `The memory was not saved: ${errorMessage(error)}`));
    await settlesWithin(saved, closingMs, parts.clock);
    await old.thread.terminate();
    on.end();
  };

  const need = (): Promise<ThreadCalls> => {
    if (closing !== undefined) return Promise.reject(memoryStopped());
    if (starting !== undefined) return starting;
    const attempt = start();
    starting = attempt;
    attempt.catch(() => {
      if (starting === attempt) starting = undefined;
    });
    return attempt;
  };

  const stop = async (): Promise<void> => {
    // A start that fails has nothing to end; one that has begun need not come to its end.
    if (life === undefined) await starting?.catch(() => undefined);
    await (life === undefined ? ending : end(life));
  };

  return {
    need,
    running: () => life?.calls,
    async reconfigure() {
      if (starting === undefined || closing !== undefined) return;
      await starting;
      if (!parts.isEnabled()) await stop();
      else await life?.calls.call('configure', [await parts.settings()]);
    },
    problems: () => crashes.problems(),
    close: () => (closing ??= stop()),
  };
}
