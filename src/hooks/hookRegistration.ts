import type { HookTrace } from './hookTrace.ts';
import type { Band, FiringName, RawResult } from './hookTypes.ts';

/** A handler of any hook; what it takes and returns is checked where it is called. */
export type AnyHookHandler = (event: never, context: never) => unknown;

/** One handler of one hook. */
export interface HookRegistration {
  readonly hook: FiringName;
  readonly pluginId: string;
  /** Adapters get the signal of the call, too. */
  readonly handler: (event: never, context: never, signal: never) => unknown;
  /** Default `normal`. */
  readonly band?: Band;
  /** Within its band. Higher runs first; equal ones keep their order of registration. */
  readonly priority: number;
  /** Only these firings; absent: all. Sync hooks ignore it. */
  readonly matches?: (event: never, context: never) => boolean;
  /** What this handler has, in milliseconds (`resolveHookTimeout`); sync hooks ignore it. */
  readonly timeoutMs: number;
  /** For `event.context`; default empty. */
  readonly pluginConfig?: Readonly<Record<string, unknown>>;
  /**
   * The host's own code, which asks plugins itself: it gets the context of the firing as it is, and must hand nobody more than a copy.
   * Absent: a plugin's handler, which gets copies.
   */
  readonly isAdapter?: true;
  /** Its id is none of an OpenClaw plugin, though one may have the same: what forbids those by their ids does not mean it. */
  readonly isForeign?: true;
  /**
   * What its failure means: the result that counts in its place, or undefined where it stops nothing. It reports the failure, too.
   * Absent: what the hook's row says.
   */
  readonly onFailure?: (failure: HandlerFailure, signal: CallSignal) => RawResult | undefined;
  /** What the signal of a call that is cut off gives as its reason; `cancel` is the signal of the firing. Absent: the usual one. */
  readonly abortReason?: (why: 'timed-out' | 'cancelled', cancel: AbortSignal | undefined) => unknown;
  /** Told of each call when it has ended; gives back its line for the trace, which may say more, or undefined for none. */
  readonly ended?: (line: HookTrace, answer: HandlerAnswer, signal: CallSignal) => HookTrace | undefined;
}

/** Who knows handlers of a hook at each moment, beside what is registered. */
export interface HandlerSource {
  /** In the order they run. */
  handlers(hook: FiringName): readonly HookRegistration[];
  /** While they are being replaced; a firing waits until that resolves. Never rejects. */
  pending(): Promise<void> | undefined;
}

/**
 * The abort signal of one call, which fires on timeout and when the run is cancelled. It is made when somebody asks for it: most
 * handlers cost less than that.
 */
export interface CallSignal {
  readonly signal: AbortSignal;
}

/**
 * Calls a handler and gives what it returns, a promise or not; may throw. The runner knows nothing else of where a handler runs:
 * another process may answer. `event` and `context` are the emitter's, and stay as they are.
 */
export type CallHandler = (
  handler: HookRegistration,
  event: object,
  context: object,
  signal: CallSignal,
) => unknown;

/** What became of one call of one handler. */
export type HandlerAnswer =
  | { readonly status: 'returned'; readonly value: unknown }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'timed-out' }
  | { readonly status: 'cancelled' };

/** Why nothing counts of what a handler said. */
export type HandlerFailure =
  { readonly status: 'failed' | 'invalid'; readonly error: unknown } | { readonly status: 'timed-out' };
