import type {
  ClaimHook,
  GateHook,
  HookContext,
  HookEvent,
  HookName,
  HookOutcome,
  ModifyHook,
  ObserveHook,
  SyncHook,
} from './hookTypes.ts';

/** One handler changed an outcome: who, and what it was before and is now. Must not throw. */
export type Contributed<N extends ModifyHook> = (
  pluginId: string,
  before: HookOutcome<N>,
  after: HookOutcome<N>,
) => void;

/**
 * Fires hooks: one verb for each kind. Failures of handlers are reported with plugin and hook and never
 * thrown. `signal` cancels the wait: `observe` then resolves, the other verbs reject with `cancelled`; every running
 * handler's own signal fires.
 */
export interface HookRunner {
  /** False where nobody listens: the emitter then builds no event at all. */
  has(name: HookName): boolean;
  /** Resolves when every handler has settled or timed out; never rejects. */
  observe<N extends ObserveHook>(
    name: N,
    event: HookEvent<N>,
    context: HookContext<N>,
    signal?: AbortSignal,
  ): Promise<void>;
  /** `contributed` is called for each handler that changed the outcome, in their order: for prompts that say who wrote what. */
  modify<N extends ModifyHook>(
    name: N,
    event: HookEvent<N>,
    context: HookContext<N>,
    signal?: AbortSignal,
    contributed?: Contributed<N>,
  ): Promise<HookOutcome<N>>;
  /** Undefined where no handler claimed the event. */
  claim<N extends ClaimHook>(
    name: N,
    event: HookEvent<N>,
    context: HookContext<N>,
    signal?: AbortSignal,
  ): Promise<HookOutcome<N> | undefined>;
  gate<N extends GateHook>(
    name: N,
    event: HookEvent<N>,
    context: HookContext<N>,
    signal?: AbortSignal,
  ): Promise<HookOutcome<N>>;
  sync<N extends SyncHook>(name: N, event: HookEvent<N>, context: HookContext<N>): HookOutcome<N>;
}
