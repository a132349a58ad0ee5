import { raceAbort } from '../base/abort.ts';
import { toDisposable, type Disposable } from '../base/disposable.ts';
import { isRecord } from '../base/json.ts';
import { isThenable } from '../base/untrusted.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Clock } from '../host/ports.ts';
import {
  createDispatch,
  isMatch,
  withRoomForContext,
  type CallHandler,
  type HookRegistration,
} from './callHandlers.ts';
import { beginMerge, createVerdicts } from './createVerdicts.ts';
import { hookCatalog } from './hookCatalog.ts';
import type { HookTrace } from './hookTrace.ts';
import type {
  Band,
  ClaimHook,
  FiringName,
  GateHook,
  HookContext,
  HookEvent,
  HookOutcome,
  ModifyHook,
  ObserveHook,
  SyncHook,
} from './hookTypes.ts';

/** A handler of any hook; what it takes and returns is checked where it is called. */
export type AnyHookHandler = (event: never, context: never) => unknown;

/** `policies`: the band `policy` alone; `plugins`: every other band. */
export type Stage = 'policies' | 'plugins';

/** Who knows handlers of a hook at each moment, beside what is registered. */
export interface HandlerSource {
  /** In the order they run. */
  handlers(hook: FiringName): readonly HookRegistration[];
  /** While they are being replaced; a firing waits until that resolves. Never rejects. */
  pending(): Promise<void> | undefined;
}

export interface HookRegistry {
  /** The same object counts once. */
  register(registration: HookRegistration): Disposable;
  /** All of a list, at once; disposing takes all of them out again. */
  registerAll(registrations: readonly HookRegistration[]): Disposable;
  /** Asks a source for handlers of these hooks, too. In a band they keep the source's order, behind those that are registered. */
  provide(hooks: readonly FiringName[], source: HandlerSource): void;
  /** In the order they run. The list never changes: a later registration makes a new one. Default: all. */
  handlers(hook: FiringName, stage?: Stage): readonly HookRegistration[];
  /** See `HandlerSource`. */
  pending(hook: FiringName): Promise<void> | undefined;
}

const none: readonly HookRegistration[] = [];
const bands: readonly Band[] = ['policy', 'first', 'normal', 'last'];

/** Holds who listens to what; the order is computed once after each change, not for each call. */
export function createHookRegistry(): HookRegistry {
  const registered = new Map<FiringName, Set<HookRegistration>>();
  const ordered = new Map<FiringName, readonly HookRegistration[]>();
  const staged = new Map<FiringName, Readonly<Record<Stage, readonly HookRegistration[]>>>();
  const sources = new Map<FiringName, HandlerSource>();

  const forget = (hook: FiringName): void => {
    ordered.delete(hook);
    staged.delete(hook);
  };
  const register = (registration: HookRegistration): Disposable => {
    const { hook } = registration;
    const all = registered.get(hook) ?? new Set();
    registered.set(hook, all.add(registration));
    forget(hook);
    return toDisposable(() => {
      all.delete(registration);
      forget(hook);
    });
  };

  const listOf = (hook: FiringName): readonly HookRegistration[] => {
    const own = ordered.get(hook) ?? [...(registered.get(hook) ?? none)].sort(inOrder);
    ordered.set(hook, own);
    const given = sources.get(hook)?.handlers(hook) ?? none;
    if (given.length === 0) return own;
    return own.length === 0 ? given : [...own, ...given].sort((a, b) => bandOf(a) - bandOf(b));
  };
  const stagesOf = (hook: FiringName): Readonly<Record<Stage, readonly HookRegistration[]>> => {
    const known = staged.get(hook);
    if (known !== undefined) return known;
    const all = listOf(hook);
    const isPolicy = ({ band }: HookRegistration): boolean => band === 'policy';
    const stages = { policies: all.filter(isPolicy), plugins: all.filter((each) => !isPolicy(each)) };
    if (!sources.has(hook)) staged.set(hook, stages);
    return stages;
  };

  return {
    register,
    registerAll(registrations) {
      const all = registrations.map(register);
      return toDisposable(() => {
        for (const each of all) each.dispose();
      });
    },
    provide(hooks, source) {
      for (const hook of hooks) {
        sources.set(hook, source);
        forget(hook);
      }
    },
    handlers: (hook, stage) => (stage === undefined ? listOf(hook) : stagesOf(hook)[stage]),
    pending: (hook) => (sources.size === 0 ? undefined : sources.get(hook)?.pending()),
  };
}

function inOrder(a: HookRegistration, b: HookRegistration): number {
  return bandOf(a) - bandOf(b) || b.priority - a.priority;
}

function bandOf({ band = 'normal' }: HookRegistration): number {
  return bands.indexOf(band);
}

/**
 * Fires hooks: one verb for each kind. Failures of handlers are reported with plugin and hook and never
 * thrown. `signal` cancels the wait: `observe` then resolves, the other verbs reject with `cancelled`; every running
 * handler's own signal fires.
 */
export interface HookRunner {
  /** False where nobody listens: the emitter then builds no event at all. */
  has(name: FiringName, stage?: Stage): boolean;
  /** Resolves when every handler has settled or timed out; never rejects. */
  observe<N extends ObserveHook>(
    name: N,
    event: HookEvent<N>,
    context: HookContext<N>,
    signal?: AbortSignal,
  ): Promise<void>;
  modify<N extends ModifyHook>(
    name: N,
    event: HookEvent<N>,
    context: HookContext<N>,
    signal?: AbortSignal,
    more?: ModifyOptions<N>,
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

interface ModifyOptions<N extends ModifyHook> {
  /** Default: all. */
  readonly stage?: Stage;
  /** Called for each handler that changed the outcome, in their order: for prompts that say who wrote what. Must not throw. */
  readonly contributed?: (pluginId: string, before: HookOutcome<N>, after: HookOutcome<N>) => void;
}

interface HookRunnerParts {
  readonly registry: Pick<HookRegistry, 'handlers' | 'pending'>;
  readonly clock: Clock;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Called after each handler; absent, nothing is compared. */
  readonly trace?: (record: HookTrace) => void;
  /** Default: handlers run in this process. */
  readonly call?: CallHandler;
  /** Plugins that may not run any more and are not taken down yet. Default: none. */
  readonly forbidden?: () => ReadonlySet<string>;
}

/**
 * What still counts of a plugin that may not run any more: what refuses or asks. Threat: who may write the config, the agent perhaps,
 * switches a guard off for the very call that it would stop. All other hooks of such a plugin are not called.
 */
const refusals: Readonly<Partial<Record<FiringName, readonly string[]>>> = {
  before_tool_call: ['block', 'blockReason', 'requireApproval'],
  before_agent_run: ['outcome', 'reason', 'message', 'category', 'metadata'],
  before_message_write: ['block'],
  message_sending: ['cancel', 'cancelReason'],
  before_install: ['block', 'blockReason', 'findings'],
};

/** The handler as one that refuses and changes nothing; none where its hook refuses nothing. */
function refusingOnly(handler: HookRegistration): readonly HookRegistration[] {
  const counts = refusals[handler.hook];
  if (counts === undefined) return none;
  const only = (value: unknown): unknown =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).filter(([key]) => counts.includes(key)))
      : value;
  const { handler: call } = handler;
  return [
    {
      ...handler,
      handler: (...args) => {
        const said = call(...args);
        return isThenable(said) ? Promise.resolve(said).then(only) : only(said);
      },
    },
  ];
}

const nobodyListens = Promise.resolve();

/**
 * The hook runner over a registry. The list of handlers is taken when a hook fires: a plugin that comes or goes meanwhile
 * counts from the next time on.
 */
export function createHookRunner({
  registry,
  clock,
  report,
  trace,
  call,
  forbidden,
}: HookRunnerParts): HookRunner {
  /** One for each handler: what is odd about it is reported once. */
  const refusing = new WeakMap<HookRegistration, readonly HookRegistration[]>();
  const onlyRefusing = (handler: HookRegistration): readonly HookRegistration[] => {
    const made = refusing.get(handler) ?? refusingOnly(handler);
    refusing.set(handler, made);
    return made;
  };
  const withoutForbidden = (
    all: readonly HookRegistration[],
    off: ReadonlySet<string>,
  ): readonly HookRegistration[] =>
    off.size === 0 ? all : all.flatMap((each) => (off.has(each.pluginId) ? onlyRefusing(each) : [each]));
  // No closure in here takes a variable of it: that would allocate for each hook that nobody listens to.
  const handlersOf = (name: FiringName, stage?: Stage): readonly HookRegistration[] => {
    const all = registry.handlers(name, stage);
    return all.length === 0 || forbidden === undefined ? all : withoutForbidden(all, forbidden());
  };
  const dispatch = createDispatch(clock, call);
  const verdicts = createVerdicts(report, trace);

  return {
    has: (name, stage) => handlersOf(name, stage).length > 0,

    observe(name, event, context, signal) {
      const handlers = handlersOf(name).filter((handler) => isMatch(handler, event, context));
      if (handlers.length === 0) return nobodyListens;
      return dispatch.together(handlers, withRoomForContext(event), context, signal, (ended) =>
        verdicts.observed(ended),
      );
    },

    async modify(name, event, context, signal, { stage, contributed } = {}) {
      const pending = registry.pending(name);
      if (pending !== undefined) await (signal === undefined ? pending : raceAbort(pending, signal));
      const { rule } = hookCatalog[name];
      const handlers = handlersOf(name, stage);
      if (handlers.length === 0) return rule.initial(event);
      let merged = beginMerge(rule, event);
      try {
        await dispatch.inOrder(handlers, { view: () => merged.view, context, signal }, (ended) => {
          const before = merged.outcome;
          merged = verdicts.merged(ended, rule, merged);
          if (merged.outcome !== before) contributed?.(ended.handler.pluginId, before, merged.outcome);
          return rule.isFinal?.(merged.outcome) === true;
        });
      } catch (error) {
        rule.cutOff?.(merged.outcome);
        throw error;
      }
      return merged.outcome;
    },

    async claim(name, event, context, signal) {
      const { rule } = hookCatalog[name];
      const view = withRoomForContext(event);
      let claimed: ReturnType<typeof rule.read>;
      await dispatch.inOrder(handlersOf(name), { view: () => view, context, signal }, (ended) => {
        claimed = verdicts.claimed(ended, rule);
        return claimed !== undefined;
      });
      return claimed;
    },

    async gate(name, event, context, signal) {
      const { rule } = hookCatalog[name];
      const view = withRoomForContext(event);
      let verdict: ReturnType<typeof rule.read>;
      await dispatch.inOrder(handlersOf(name), { view: () => view, context, signal }, (ended) => {
        verdict = verdicts.judged(ended, rule);
        return verdict !== undefined;
      });
      return verdict ?? rule.pass;
    },

    sync(name, event, context) {
      const { rule } = hookCatalog[name];
      const handlers = handlersOf(name);
      if (handlers.length === 0) return rule.initial(event);
      let merged = beginMerge(rule, event);
      for (const handler of handlers) {
        const startedAt = clock.monotonic();
        merged = verdicts.merged(dispatch.atOnce(handler, merged.view, context, startedAt), rule, merged);
        if (rule.isFinal?.(merged.outcome) === true) break;
      }
      return merged.outcome;
    },
  };
}
