import { raceAbort } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { createEmitter } from '../../base/event.ts';
import { createThrottle } from '../../host/createThrottle.ts';
import type { MemoryEvent } from '../engine/engineParts.ts';
import type { Memory, MemoryProgress, MemoryStatus } from '../memory.ts';
import { createMemoryThread, type MemoryThreadParts } from './createMemoryThread.ts';
import type { EngineMethod, EngineParams, EngineResult } from './protocol.ts';

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

  /** For what may be lost: a thread that is not there looks at everything when it starts. */
  const tell = <M extends EngineMethod>(method: M, params: EngineParams<M>): void => {
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
