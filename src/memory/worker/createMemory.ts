import { randomUUID } from 'node:crypto';
import { raceAbort } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { createEmitter } from '../../base/event.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { createThrottle } from '../../host/createThrottle.ts';
import type { Clock, Log } from '../../host/ports.ts';
import { settlesWithin } from '../../host/settlesWithin.ts';
import type { Workers, WorkerThread } from '../../host/workers.ts';
import type { AskPluginEmbedder } from '../embeddings/createPluginEmbedder.ts';
import type { MemoryEvent } from '../engine/engineState.ts';
import type { Memory, MemoryProgress, MemoryStatus } from '../memory.ts';
import type { MemoryPlace, MemorySettings } from '../memorySettings.ts';
import {
  createThreadCalls,
  type EngineMethod,
  type EngineParams,
  type EngineResult,
  type ThreadCalls,
  type NotificationMethod,
  type ToThread,
} from './protocol.ts';

/** A memory whose config may change. */
export interface ConfigurableMemory extends Memory {
  /** Reads the settings anew; a thread that does not run reads them when it starts. */
  reconfigure(): Promise<void>;
}

/** Listeners are called at most once in so many milliseconds. */
const changeMs = 100;

/** The memory as everybody sees it: all that it does happens in a thread of its own, here are only messages. */
export function createMemory(parts: MemoryThreadParts): ConfigurableMemory {
  const changes = createEmitter<undefined>();
  const throttle = createThrottle(parts.clock, changeMs, () => changes.fire(undefined));
  let progress: MemoryProgress | undefined;

  const onEvent = (event: MemoryEvent): void => {
    if (event.kind === 'problem') parts.log.write(event.diagnostic.level, event.diagnostic.message);
    if (event.kind === 'progress') progress = event.progress;
    throttle.request();
  };
  const thread = createMemoryThread(parts, {
    event: onEvent,
    end() {
      progress = undefined;
      throttle.request();
    },
  });

  const call = async <M extends EngineMethod>(
    method: M,
    params: EngineParams<M>,
    signal?: AbortSignal,
  ): Promise<EngineResult<M>> => {
    const need = thread.need();
    const calls = await (signal === undefined ? need : raceAbort(need, signal));
    return await calls.call(method, params, signal);
  };

  /** For what may be lost: a thread that is not there scans everything when it starts. */
  const tell = <M extends NotificationMethod>(method: M, params: EngineParams<M>): void => {
    thread
      .running()
      ?.call(method, params)
      .catch((error: unknown) =>
        parts.log.write('debug', `The memory did not take a change: ${errorMessage(error)}`),
      );
  };

  const close = async (): Promise<void> => {
    await thread.close();
    throttle.cancel();
    changes.dispose();
  };

  return {
    search: (query, options = {}, signal) => call('search', [query, options], signal),
    async status() {
      try {
        const status = await call('status', []);
        return { ...status, problems: [...status.problems, ...thread.problems()] };
      } catch (error) {
        if (error instanceof PincerError && error.code === 'memory_disabled') return disabledStatus;
        throw error;
      }
    },
    files: () => call('files', []),
    find: (file) => call('find', [file]),
    readSession: (label) => call('readSession', [label]),
    sync: (options = {}, signal) => call('sync', [options], signal),
    cancel: () => tell('cancel', []),
    changed: (paths) => tell('changed', [paths]),
    changedBroadly: () => tell('changedBroadly', []),
    turnBegins: () => tell('turnBegins', []),
    forget: (path) => call('forget', [path]),
    remember: (path) => call('remember', [path]),
    progress: () => progress,
    onDidChange: changes.event,
    reconfigure: () => thread.reconfigure(),
    close,
    dispose: () => void close(),
  };
}

const disabledStatus: MemoryStatus = {
  isEnabled: false,
  files: 0,
  passages: 0,
  bytes: 0,
  indexPath: '',
  stale: 0,
  role: 'reading',
  generation: 0,
  vector: { state: 'off', reason: 'The memory is switched off.', embedded: 0, total: 0 },
  problems: [],
};

/** How long a thread may take to save and end before it is ended where it stands, in milliseconds. */
const closeTimeoutMs = 10_000;

interface MemoryThreadParts {
  readonly workers: Workers;
  readonly clock: Clock;
  readonly log: Log;
  /** Absolute path of the thread's program. */
  readonly workerFile: string;
  readonly place: MemoryPlace;
  /** False where the config switches the memory off. Asked at each start and each `reconfigure`, as `settings` is. */
  readonly isEnabled: () => boolean;
  readonly settings: () => Promise<MemorySettings> | MemorySettings;
  /** Absent, there are no plugins. */
  readonly askPluginEmbedder?: AskPluginEmbedder;
}

/** The thread's life: started at the first need, and once more after it failed. */
interface MemoryThread {
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
function createMemoryThread(
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
    const calls = createThreadCalls(thread, on.event, parts.askPluginEmbedder);
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
    await settlesWithin(saved, closeTimeoutMs, parts.clock);
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

/** How often a thread may fail before it is left alone, and within how many milliseconds. */
const limit = { crashes: 3, withinMs: 5 * 60_000 } as const;

/** Remembers failures for as long as they count. */
interface CrashLimit {
  add(cause: unknown): void;
  /** @throws PincerError `memory_stopped` where it failed too often of late */
  check(): void;
  problems(): readonly Diagnostic[];
}

/** At most three failures in five minutes: a file that breaks the thread must not make it start for ever. */
function createCrashLimit(clock: Clock): CrashLimit {
  let crashes: { readonly at: number; readonly cause: unknown }[] = [];
  const recent = (): typeof crashes =>
    (crashes = crashes.filter(({ at }) => clock.monotonic() - at < limit.withinMs));
  return {
    add: (cause) => void crashes.push({ at: clock.monotonic(), cause }),
    check() {
      const all = recent();
      if (all.length >= limit.crashes) throw memoryKeepsStopping(all.length, all.at(-1)?.cause);
    },
    problems: () =>
      recent()
        .slice(-1)
        .map(({ cause }) => ({
          level: 'error',
          code: 'memory_crashed',
          message: `The memory's thread failed and was started again: ${errorMessage(cause)}.`,
        })),
  };
}

function memoryDisabled(): PincerError {
  return new PincerError('memory_disabled', 'The memory is switched off.', {
    hint: 'Set memory.enabled to true in your config.',
  });
}

/** What was asked of a thread that has ended. */
function memoryStopped(cause?: unknown): PincerError {
  const why = cause === undefined ? '' : `: ${errorMessage(cause)}`;
  return new PincerError('memory_stopped', `The memory's thread has ended${why}.`, {
    hint: 'Search once more: that starts it again.',
    ...(cause === undefined ? {} : { cause }),
  });
}

function memoryKeepsStopping(times: number, cause: unknown): PincerError {
  return new PincerError(
    'memory_stopped',
    `The memory's thread ended ${times} times within five minutes, and is left alone for a while: ${errorMessage(cause)}.`,
    {
      hint: 'Leave large or unusual files out by memory.exclude, or delete the index; then reload the window.',
      cause,
    },
  );
}
