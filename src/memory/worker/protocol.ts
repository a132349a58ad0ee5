import { errorMessage, PincerError } from '../../base/errors.ts';
import type { WorkerThread } from '../../host/workers.ts';
import type { MemoryEngine } from '../engine/createMemoryEngine.ts';
import type { MemoryEvent } from '../engine/engineParts.ts';
import type { MemoryPlace } from '../memorySettings.ts';

/** What both ends talk through. */
export type ThreadChannel = Pick<WorkerThread, 'post' | 'onMessage'>;

export type EngineMethod = keyof MemoryEngine;

/** What a method takes, less the signal: that one travels as a `cancel`. */
export type EngineParams<M extends EngineMethod> =
  Parameters<MemoryEngine[M]> extends [...infer Params, AbortSignal] ? Params : Parameters<MemoryEngine[M]>;

export type EngineResult<M extends EngineMethod> = Awaited<ReturnType<MemoryEngine[M]>>;

/** One call; its `id` names it in the answer and in a cancel. */
export type EngineRequest = {
  readonly [M in EngineMethod]: {
    readonly kind: 'request';
    readonly id: number;
    readonly method: M;
    readonly params: EngineParams<M>;
  };
}[EngineMethod];

/** Which thread this is. */
export interface ThreadIdentity {
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
  | { readonly kind: 'cancel'; readonly id: number };

/** What the thread answers and tells. */
export type FromThread =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: PostedError }
  | { readonly kind: 'event'; readonly event: MemoryEvent };

/** A `PincerError` as data: a copied error would lose its code. */
export interface PostedError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** Anything thrown, for the way across; what is no `PincerError` becomes `memory_failed`. */
export function toPosted(thrown: unknown): PostedError {
  if (!(thrown instanceof PincerError)) return { code: 'memory_failed', message: errorMessage(thrown) };
  const { code, message, hint } = thrown;
  return { code, message, ...(hint === undefined ? {} : { hint }) };
}

export function fromPosted({ code, message, hint }: PostedError): PincerError {
  return new PincerError(code, message, hint === undefined ? {} : { hint });
}
