import { cancelledError, throwIfAborted } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { WorkerThread } from '../../host/workers.ts';
import type { MemoryEngine } from '../engine/createMemoryEngine.ts';
import type { MemoryEvent } from '../engine/engineState.ts';
import type { AskPluginEmbedder, EmbeddingRequest } from '../embeddings/createPluginEmbedder.ts';
import type { MemoryPlace } from '../memorySettings.ts';

/** What both ends talk through. */
type ThreadChannel = Pick<WorkerThread, 'post' | 'onMessage'>;

export type EngineMethod = keyof MemoryEngine;

/** A method whose last parameter is a signal is cancellable: the signal travels as a `cancel`. */
type MessageKind<M extends EngineMethod> =
  Parameters<MemoryEngine[M]> extends [...unknown[], AbortSignal]
    ? 'cancellable'
    : 'request' | 'notification';

/**
 * All that the window asks the memory's thread, and how: `notification` is what may be lost, since a thread that is not there scans
 * everything when it starts; whoever asks for the others waits for the answer.
 */
const wire = {
  configure: 'request',
  search: 'cancellable',
  status: 'request',
  files: 'request',
  find: 'request',
  readSession: 'request',
  sync: 'cancellable',
  cancel: 'notification',
  changed: 'notification',
  changedBroadly: 'notification',
  turnBegins: 'notification',
  forget: 'request',
  remember: 'request',
  close: 'request',
} as const satisfies { readonly [M in EngineMethod]: MessageKind<M> };

export type NotificationMethod = {
  [M in EngineMethod]: (typeof wire)[M] extends 'notification' ? M : never;
}[EngineMethod];

/** What a method takes, less the signal. */
export type EngineParams<M extends EngineMethod> =
  Parameters<MemoryEngine[M]> extends [...infer Params, AbortSignal] ? Params : Parameters<MemoryEngine[M]>;

export type EngineResult<M extends EngineMethod> = Awaited<ReturnType<MemoryEngine[M]>>;

/** One call; its `id` names it in the answer and in a cancel. */
type EngineRequest = {
  readonly [M in EngineMethod]: {
    readonly kind: 'request';
    readonly id: number;
    readonly method: M;
    readonly params: EngineParams<M>;
  };
}[EngineMethod];

/** Which thread this is. */
interface ThreadIdentity {
  readonly place: MemoryPlace;
  /** Names it among the threads of the process. */
  readonly instance: string;
  /** Earlier ones that have ended, some without giving back what they held. */
  readonly endedInstances: readonly string[];
}

/** What the thread is told; `open` comes first and once. */
export type ToThread =
  | ({ readonly kind: 'open' } & ThreadIdentity)
  | EngineRequest
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'embedded'; readonly id: number; readonly vectors: readonly unknown[] }
  | { readonly kind: 'embeddingFailed'; readonly id: number; readonly error: PostedError };

/** What the thread answers, tells and asks. */
export type FromThread =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: PostedError }
  | { readonly kind: 'event'; readonly event: MemoryEvent }
  | { readonly kind: 'embed'; readonly id: number; readonly request: EmbeddingRequest }
  | { readonly kind: 'cancelEmbedding'; readonly id: number };

/** A `PincerError` as data: a copied error would lose its code. */
interface PostedError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** Anything thrown, for the way across; what is no `PincerError` becomes `memory_failed`. */
function toPosted(thrown: unknown): PostedError {
  if (!(thrown instanceof PincerError)) return { code: 'memory_failed', message: errorMessage(thrown) };
  const { code, message, hint } = thrown;
  return { code, message, ...(hint === undefined ? {} : { hint }) };
}

function fromPosted({ code, message, hint }: PostedError): PincerError {
  return new PincerError(code, message, hint === undefined ? {} : { hint });
}

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
export function createThreadCalls(
  thread: WorkerThread,
  onEvent: (event: MemoryEvent) => void,
  askPluginEmbedder: AskPluginEmbedder = () => Promise.reject(new Error('There are no plugins here.')),
): ThreadCalls {
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

  const embedding = new Map<number, AbortController>();
  const embed = async (id: number, request: EmbeddingRequest): Promise<void> => {
    const controller = new AbortController();
    embedding.set(id, controller);
    try {
      const vectors = await askPluginEmbedder(request, controller.signal);
      if (embedding.has(id)) post({ kind: 'embedded', id, vectors });
    } catch (error) {
      if (embedding.has(id)) post({ kind: 'embeddingFailed', id, error: toPosted(error) });
    } finally {
      embedding.delete(id);
    }
  };
  const cancelEmbedding = (id: number): void => {
    embedding.get(id)?.abort();
    embedding.delete(id);
  };

  thread.onMessage((message) => {
    // Both ends are of one build.
    const told = message as FromThread;
    switch (told.kind) {
      case 'event':
        onEvent(told.event);
        break;
      case 'embed':
        void embed(told.id, told.request);
        break;
      case 'cancelEmbedding':
        cancelEmbedding(told.id);
        break;
      case 'result':
        settle(told.id)?.resolve(told.value);
        break;
      case 'error':
        settle(told.id)?.reject(fromPosted(told.error));
        break;
    }
  });

  return {
    async call<M extends EngineMethod>(
      method: M,
      params: EngineParams<M>,
      signal?: AbortSignal,
    ): Promise<EngineResult<M>> {
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
      for (const id of [...embedding.keys()]) cancelEmbedding(id);
      for (const id of [...waiting.keys()]) settle(id)?.reject(error);
    },
  };
}

/** What the window was asked to embed. */
interface Asked {
  readonly resolve: (vectors: readonly unknown[]) => void;
  readonly reject: (error: Error) => void;
}

/** Builds the engine once the other side has said where its index lies. */
type StartEngine = (
  identity: ThreadIdentity,
  window: { readonly emit: (event: MemoryEvent) => void; readonly askPluginEmbedder: AskPluginEmbedder },
) => MemoryEngine;

/** The thread's end: carries out what is asked, each call on its own, and tells what happens. */
export function serveMemory(channel: ThreadChannel, startEngine: StartEngine): void {
  const running = new Map<number, AbortController>();
  let engine: MemoryEngine | undefined;
  const post = (message: FromThread): void => channel.post(message);

  const answer = async (request: EngineRequest): Promise<void> => {
    const controller = new AbortController();
    running.set(request.id, controller);
    try {
      if (engine === undefined) throw new Error('The thread was asked before it was opened.');
      post({ kind: 'result', id: request.id, value: await carryOut(engine, request, controller.signal) });
    } catch (error) {
      post({ kind: 'error', id: request.id, error: toPosted(error) });
    } finally {
      running.delete(request.id);
    }
  };

  const embedding = new Map<number, Asked>();
  let lastId = 0;
  const askPluginEmbedder: AskPluginEmbedder = async (request, signal) => {
    throwIfAborted(signal);
    const id = ++lastId;
    const answer = new Promise<readonly unknown[]>((resolve, reject) =>
      embedding.set(id, { resolve, reject }),
    );
    const onAbort = (): void => {
      post({ kind: 'cancelEmbedding', id });
      embedding.get(id)?.reject(cancelledError());
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      post({ kind: 'embed', id, request });
      return await answer;
    } finally {
      embedding.delete(id);
      signal.removeEventListener('abort', onAbort);
    }
  };

  channel.onMessage((message) => {
    // Both ends are of one build.
    const asked = message as ToThread;
    switch (asked.kind) {
      case 'open':
        engine = startEngine(asked, {
          emit: (event) => post({ kind: 'event', event }),
          askPluginEmbedder,
        });
        break;
      case 'cancel':
        running.get(asked.id)?.abort();
        break;
      case 'embedded':
        embedding.get(asked.id)?.resolve(asked.vectors);
        break;
      case 'embeddingFailed':
        embedding.get(asked.id)?.reject(fromPosted(asked.error));
        break;
      case 'request':
        void answer(asked);
        break;
    }
  });
}

/** Calls the engine's method as its row of the table says. */
function carryOut(
  engine: MemoryEngine,
  { method, params }: EngineRequest,
  signal: AbortSignal,
): Promise<unknown> {
  // Both ends are of one build: the parameters are those of this method.
  const handlers = engine as Handlers;
  return wire[method] === 'cancellable' ? handlers[method](...params, signal) : handlers[method](...params);
}

type Handlers = Readonly<Record<EngineMethod, (...params: readonly unknown[]) => Promise<unknown>>>;
