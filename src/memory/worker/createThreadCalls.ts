import { cancelledError } from '../../base/abort.ts';
import type { WorkerThread } from '../../host/workers.ts';
import type { MemoryEvent } from '../engine/engineParts.ts';
import {
  fromPosted,
  type EngineMethod,
  type EngineParams,
  type EngineResult,
  type FromThread,
  type ToThread,
} from './protocol.ts';

/** Calls into the thread. */
export interface ThreadCalls {
  /**
   * Rejects with what the engine threw, at once with `cancelled` where the signal aborts, and with what `fail` says where the
   * thread ends.
   */
  call<M extends EngineMethod>(
    method: M,
    params: EngineParams<M>,
    signal?: AbortSignal,
  ): Promise<EngineResult<M>>;
  /** Rejects what is awaited and all that is asked later. */
  fail(error: Error): void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The caller's end of the protocol. The process is held while an answer is awaited, and no longer. */
export function createThreadCalls(thread: WorkerThread, onEvent: (event: MemoryEvent) => void): ThreadCalls {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let failure: Error | undefined;
  const post = (message: ToThread): void => thread.post(message);

  const settle = (id: number): Waiting | undefined => {
    const found = waiting.get(id);
    waiting.delete(id);
    if (found !== undefined && waiting.size === 0) thread.holdProcess(false);
    return found;
  };

  thread.onMessage((message) => {
    // Both ends are of one build.
    const told = message as FromThread;
    if (told.kind === 'event') onEvent(told.event);
    else if (told.kind === 'result') settle(told.id)?.resolve(told.value);
    else settle(told.id)?.reject(fromPosted(told.error));
  });

  return {
    async call<M extends EngineMethod>(method: M, params: EngineParams<M>, signal?: AbortSignal) {
      if (signal?.aborted === true) throw cancelledError();
      if (failure !== undefined) throw failure;
      const id = ++lastId;
      const onAbort = (): void => {
        post({ kind: 'cancel', id });
        settle(id)?.reject(cancelledError());
      };
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
      if (waiting.size === 1) thread.holdProcess(true);
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        post({ kind: 'request', id, method, params } as ToThread);
        return (await answer) as EngineResult<M>;
      } finally {
        settle(id);
        signal?.removeEventListener('abort', onAbort);
      }
    },
    fail(error) {
      failure ??= error;
      for (const id of [...waiting.keys()]) settle(id)?.reject(error);
    },
  };
}
