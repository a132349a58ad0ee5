import { cancelledError, raceAbort } from '../base/abort.ts';
import { toDisposable, type Disposable } from '../base/disposable.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Clock } from '../host/ports.ts';
import { createDispatch, isMatch, withRoomForContext, type EndedCall, type Reading } from './callHandlers.ts';
import { createRefusalsOnly } from './decideHookAccess.ts';
import { findChanges } from './findChanges.ts';
import { hookCatalog } from './hookCatalog.ts';
import type { CallHandler, HandlerFailure, HandlerSource, HookRegistration } from './hookRegistration.ts';
import type { HookTrace } from './hookTrace.ts';
import type {
  Band,
  ClaimHook,
  ClaimRule,
  FiringName,
  GateHook,
  GateRule,
  HandlerFailureKind,
  HookContext,
  HookDecision,
  HookEvent,
  HookOutcome,
  MergeRule,
  ModifyHook,
  ObserveHook,
  RawResult,
  ResultSource,
  SyncHook,
} from './hookTypes.ts';

/** `policies`: the band `policy` alone; `plugins`: every other band. */
export type Stage = 'policies' | 'plugins';

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

  const order = (hook: FiringName): readonly HookRegistration[] => {
    const own = [...(registered.get(hook) ?? none)].sort(inOrder);
    ordered.set(hook, own);
    return own;
  };
  const listOf = (hook: FiringName): readonly HookRegistration[] => {
    const own = ordered.get(hook) ?? order(hook);
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
  const refusalsOnly = createRefusalsOnly();
  // No closure in here takes a variable of it: that would allocate for each hook that nobody listens to.
  const handlersOf = (name: FiringName, stage?: Stage): readonly HookRegistration[] => {
    const all = registry.handlers(name, stage);
    if (all.length === 0 || forbidden === undefined) return all;
    const off = forbidden();
    return off.size === 0 ? all : refusalsOnly(all, off);
  };
  const dispatch = createDispatch(clock, report, call);
  const verdicts = createVerdicts(dispatch.refuse, report, trace);

  /** The first that a handler's call comes to. */
  const first = async <Outcome>(
    handlers: readonly HookRegistration[],
    event: object,
    context: object,
    signal: AbortSignal | undefined,
    comesTo: (ended: EndedCall) => Outcome | undefined,
  ): Promise<Outcome | undefined> => {
    const view = withRoomForContext(event);
    let outcome: Outcome | undefined;
    await dispatch.inOrder(handlers, { view: () => view, context, signal }, (ended) => {
      outcome = comesTo(ended);
      return outcome !== undefined;
    });
    return outcome;
  };

  return {
    has: (name, stage) => handlersOf(name, stage).length > 0,

    observe(name, event, context, signal) {
      const handlers = onlyMatching(handlersOf(name), event, context);
      if (handlers.length === 0) return nobodyListens;
      return dispatch.together(handlers, withRoomForContext(event), context, signal, verdicts.observed);
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

    claim(name, event, context, signal) {
      const { rule } = hookCatalog[name];
      return first(handlersOf(name), event, context, signal, (ended) => verdicts.claimed(ended, rule));
    },

    async gate(name, event, context, signal) {
      const { rule } = hookCatalog[name];
      const judged = (ended: EndedCall) => verdicts.judged(ended, rule);
      return (await first(handlersOf(name), event, context, signal, judged)) ?? rule.pass;
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

/** The same list where no handler leaves out any firing, which is most of the time. */
function onlyMatching(
  all: readonly HookRegistration[],
  event: object,
  context: object,
): readonly HookRegistration[] {
  return all.every(({ matches }) => matches === undefined)
    ? all
    : all.filter((handler) => isMatch(handler, event, context));
}

/** An outcome, and the event with it applied, as the next handler gets it. */
interface Merged<Event, Outcome> {
  readonly event: Event;
  readonly outcome: Outcome;
  readonly view: Event;
}

/** The state before the first handler. */
function beginMerge<Event extends object, Outcome>(
  rule: MergeRule<Event, Outcome>,
  event: Event,
): Merged<Event, Outcome> {
  const roomy = withRoomForContext(event);
  const outcome = rule.initial(event);
  return { event: roomy, outcome, view: rule.view(roomy, outcome) };
}

type TraceDetails = Pick<HookTrace, 'decision' | 'changes' | 'note'>;

const noDetails: TraceDetails = {};
// A gate's own reason may quote the user.
const passed: TraceDetails = { decision: { kind: 'passed' } };
const blocked: TraceDetails = { decision: { kind: 'blocked' } };
const stopsNothing = (): undefined => undefined;

/** What becomes of what a handler said: apply the hook's rule or say what its failure means, and trace it. */
function createVerdicts(
  refuse: (handler: HookRegistration, error: unknown) => Reading,
  report: (diagnostic: Diagnostic) => void,
  trace: ((record: HookTrace) => void) | undefined,
) {
  const isToldOf = ({ handler }: EndedCall): boolean => trace !== undefined || handler.ended !== undefined;

  const tell = ({ handler, answer, call }: EndedCall, line: HookTrace): void => {
    const told = handler.ended === undefined ? line : handler.ended(line, answer, call);
    if (told !== undefined) trace?.(told);
  };
  const write = (ended: EndedCall, said: Reading, told: TraceDetails): void => {
    if (!isToldOf(ended)) return;
    const outcome = outcomeOf(said, told);
    const line: HookTrace = ended.call;
    if (outcome === 'nothing' && told.note === undefined) tell(ended, line);
    else tell(ended, { ...line, outcome, ...told, ...errorOf(ended.handler, said) });
  };

  /**
   * The outcome by a rule, or what a failure comes to; undefined where it stops nothing. A result that the rule refuses is a failure.
   * @throws PincerError `cancelled`
   */
  const settle = <Outcome>(
    ended: EndedCall,
    rule: (result: RawResult) => Outcome | undefined,
    failClosed: (why: HandlerFailureKind) => Outcome | undefined,
  ): { readonly said: Reading; readonly outcome: Outcome | undefined } => {
    const { handler, call } = ended;
    let { said } = ended;
    if (said.status === 'cancelled') {
      write(ended, said, noDetails);
      throw cancelledError();
    }
    if (said.status === 'result') {
      try {
        return { said, outcome: rule(said.result) };
      } catch (error) {
        said = refuse(handler, error);
      }
    }
    if (!isFailure(said)) return { said, outcome: undefined };
    if (handler.onFailure === undefined) return { said, outcome: failClosed(failedHow(said)) };
    const instead = handler.onFailure(said, call);
    return { said, outcome: instead === undefined ? undefined : rule(instead) };
  };

  return {
    observed: (ended: EndedCall): void => {
      const { handler, said, call } = ended;
      if (isFailure(said)) handler.onFailure?.(said, call);
      write(ended, said, noDetails);
    },

    /** With this handler's result in it. @throws PincerError `cancelled` */
    merged<Event extends object, Outcome>(
      ended: EndedCall,
      rule: MergeRule<Event, Outcome>,
      before: Merged<Event, Outcome>,
    ): Merged<Event, Outcome> {
      if (ended.said.status === 'nothing') {
        // What most handlers of most hooks come to: as little as possible on the way.
        if (isToldOf(ended)) tell(ended, ended.call);
        return before;
      }
      const { hook, pluginId, band = 'normal' } = ended.handler;
      let note: string | undefined;
      const source: ResultSource = {
        pluginId,
        band,
        note(level, code, message) {
          note = message;
          report({ level, code, message, pluginId });
        },
      };
      const { said, outcome } = settle(
        ended,
        (result) => rule.fold(before.outcome, result, source, before.event),
        (why) => rule.failClosed?.(before.outcome, pluginId, why),
      );
      if (outcome === undefined) {
        write(ended, said, noDetails);
        return before;
      }
      const view = rule.view(before.event, outcome);
      if (isToldOf(ended)) {
        const changes = findChanges(before.view, view, hookCatalog[hook].redacts === true);
        const decision = rule.decision?.(before.outcome, outcome);
        write(ended, said, {
          ...(changes.length === 0 ? {} : { changes }),
          ...(decision === undefined ? {} : { decision }),
          ...(note === undefined ? {} : { note }),
        });
      }
      return { event: before.event, outcome, view };
    },

    /** Undefined where the handler left the event to the next one. @throws PincerError `cancelled` */
    claimed<Outcome>(ended: EndedCall, rule: ClaimRule<Outcome>): Outcome | undefined {
      const { pluginId } = ended.handler;
      const { said, outcome } = settle(ended, (result) => rule.read(result, pluginId), stopsNothing);
      write(ended, said, outcome === undefined ? noDetails : { decision: claimedFor(said) });
      return outcome;
    },

    /** Undefined where the handler let it pass. @throws PincerError `cancelled` */
    judged<Outcome>(ended: EndedCall, rule: GateRule<Outcome>): Outcome | undefined {
      const { handler } = ended;
      const { pluginId } = handler;
      // Saying nothing is no decision.
      const decided =
        ended.said.status === 'nothing' ? { ...ended, said: refuse(handler, undefined) } : ended;
      const { said, outcome } = settle(
        decided,
        (result) => rule.read(result, pluginId),
        (why) => rule.failClosed(pluginId, why),
      );
      write(ended, said, outcome === undefined ? passed : blocked);
      return outcome;
    },
  };
}

function isFailure(said: Reading): said is HandlerFailure {
  return said.status === 'failed' || said.status === 'invalid' || said.status === 'timed-out';
}

function failedHow(failure: HandlerFailure): HandlerFailureKind {
  if (failure.status === 'invalid') return 'invalid';
  return failure.status === 'failed' && isHang(failure.error) ? 'skipped' : 'failed';
}

/** A plugin may throw such an error, too, and says nothing with it but that it hangs: its text is read nowhere. */
function isHang(error: unknown): boolean {
  try {
    return error instanceof PincerError && error.code === 'plugin_call_hung';
  } catch {
    // A code that throws where it is read.
    return false;
  }
}

function outcomeOf(said: Reading, told: TraceDetails): HookTrace['outcome'] {
  if (said.status !== 'nothing' && said.status !== 'result') return said.status;
  if (told.decision !== undefined) return 'decided';
  return told.changes === undefined ? 'nothing' : 'changed';
}

function errorOf({ hook }: HookRegistration, said: Reading): Pick<HookTrace, 'error'> {
  if (!('error' in said) || hookCatalog[hook].confidential === true) return {};
  return { error: errorMessage(said.error) };
}

function claimedFor(said: Reading): HookDecision {
  const reason = said.status === 'result' ? said.result['reason'] : undefined;
  return { kind: 'claimed', ...(typeof reason === 'string' && reason !== '' ? { reason } : {}) };
}
