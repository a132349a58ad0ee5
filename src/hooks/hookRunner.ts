import { cancelledError, raceAbort, throwIfAborted } from '../base/abort.ts';
import { toDisposable, type Disposable } from '../base/disposable.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import { isThenable } from '../base/untrusted.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Clock } from '../host/ports.ts';
import {
  awaitAnswer,
  callInProcess,
  createAnswerReader,
  createDeadlines,
  OpenCall,
  withRoomForContext,
  type CallHandler,
  type CallLimits,
  type HandlerAnswer,
  type HandlerFailure,
  type HookRegistration,
  type Reading,
} from './callHandler.ts';
import { findChanges } from './findChanges.ts';
import { hookCatalog } from './hookCatalog.ts';
import type { HookTrace } from './hookTrace.ts';
import type {
  Band,
  ClaimHook,
  ClaimRule,
  FailedHow,
  FiringName,
  GateHook,
  GateRule,
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

export interface ModifyOptions<N extends ModifyHook> {
  /** Default: all. */
  readonly stage?: Stage;
  /** Called for each handler that changed the outcome, in their order: for prompts that say who wrote what. Must not throw. */
  readonly contributed?: (pluginId: string, before: HookOutcome<N>, after: HookOutcome<N>) => void;
}

export interface HookRunnerParts {
  readonly registry: Pick<HookRegistry, 'handlers' | 'pending'>;
  readonly clock: Clock;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Called after each handler; absent, nothing is compared. */
  readonly trace?: (record: HookTrace) => void;
  /** Default: handlers run in this process. */
  readonly call?: CallHandler;
}

const nobodyListens = Promise.resolve();

/**
 * The hook runner over a registry. The list of handlers is taken when a hook fires: a plugin that comes or goes meanwhile
 * counts from the next time on.
 */
export function createHookRunner(parts: HookRunnerParts): HookRunner {
  const { registry, clock } = parts;
  const dispatch = createDispatch(parts);
  const verdicts = createVerdicts(parts);

  return {
    has: (name, stage) => registry.handlers(name, stage).length > 0,

    observe(name, event, context, signal) {
      const handlers = registry.handlers(name).filter(matching(event, context));
      if (handlers.length === 0) return nobodyListens;
      return dispatch.together(handlers, withRoomForContext(event), context, signal, (ended) =>
        verdicts.observed(ended),
      );
    },

    async modify(name, event, context, signal, { stage, contributed } = {}) {
      const pending = registry.pending(name);
      if (pending !== undefined) await (signal === undefined ? pending : raceAbort(pending, signal));
      const { rule } = hookCatalog[name];
      const handlers = registry.handlers(name, stage);
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
      await dispatch.inOrder(registry.handlers(name), { view: () => view, context, signal }, (ended) => {
        claimed = verdicts.claimed(ended, rule);
        return claimed !== undefined;
      });
      return claimed;
    },

    async gate(name, event, context, signal) {
      const { rule } = hookCatalog[name];
      const view = withRoomForContext(event);
      let verdict: ReturnType<typeof rule.read>;
      await dispatch.inOrder(registry.handlers(name), { view: () => view, context, signal }, (ended) => {
        verdict = verdicts.judged(ended, rule);
        return verdict !== undefined;
      });
      return verdict ?? rule.pass;
    },

    sync(name, event, context) {
      const { rule } = hookCatalog[name];
      const handlers = registry.handlers(name);
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

function isMatch({ matches }: HookRegistration, event: object, context: object): boolean {
  return matches === undefined || matches(event as never, context as never);
}

function matching(event: object, context: object): (handler: HookRegistration) => boolean {
  return (handler) => isMatch(handler, event, context);
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

/** One call of one handler that has ended. */
interface EndedCall {
  readonly handler: HookRegistration;
  readonly answer: HandlerAnswer;
  readonly call: OpenCall;
}

/** What the handlers of one firing are called with. */
interface Firing {
  /** The event for the next handler. */
  readonly view: () => object;
  readonly context: object;
  readonly signal: AbortSignal | undefined;
}

/** Order and waiting: calls handlers and gives back what became of each call. */
function createDispatch({ clock, call = callInProcess }: HookRunnerParts) {
  const deadlines = createDeadlines(clock);

  /** Undefined where the answer has to be waited for: then `later` is called. */
  const ask = (
    handler: HookRegistration,
    event: object,
    open: OpenCall,
    limits: CallLimits,
    later: (answer: HandlerAnswer) => void,
  ): HandlerAnswer | undefined => {
    try {
      const value = call(handler, event, open.context, open);
      if (!isThenable(value)) return { status: 'returned', value };
      awaitAnswer(value, handler, open, limits, later);
      return undefined;
    } catch (error) {
      return { status: 'failed', error };
    }
  };

  return {
    /** All of them at once. Resolves when the last one has ended; never rejects. */
    together(
      handlers: readonly HookRegistration[],
      event: object,
      context: object,
      cancel: AbortSignal | undefined,
      take: (ended: EndedCall) => void,
    ): Promise<void> {
      const startedAt = clock.monotonic();
      const limits = { deadlines, cancel };
      return new Promise((resolve) => {
        let running = handlers.length;
        for (const handler of handlers) {
          const call = new OpenCall(handler, context, startedAt);
          const ended = (answer: HandlerAnswer): void => {
            call.durationMs = clock.monotonic() - startedAt;
            take({ handler, answer, call });
            running -= 1;
            if (running === 0) resolve();
          };
          const answer = ask(handler, event, call, limits, ended);
          if (answer !== undefined) ended(answer);
        }
      });
    },

    /**
     * One after the other until `take` says that it is over. Rejects with what `take` throws, and with `cancelled` where the
     * firing is cancelled.
     */
    inOrder(
      handlers: readonly HookRegistration[],
      { view, context, signal: cancel }: Firing,
      take: (ended: EndedCall) => boolean,
    ): Promise<void> {
      return new Promise((resolve, reject) => {
        const limits = { deadlines, cancel };
        let next = 0;
        let startedAt = clock.monotonic();
        // Of the handler that is being called, which is the one before `next`.
        let call: OpenCall;

        /** True where the next handler is to be called. The end of one is the start of the next: the clock is read once. */
        const goesOn = (handler: HookRegistration, answer: HandlerAnswer): boolean => {
          const endedAt = clock.monotonic();
          call.durationMs = endedAt - startedAt;
          startedAt = endedAt;
          return !take({ handler, answer, call });
        };
        const callOn = (): void => {
          try {
            for (;;) {
              const handler = handlers[next];
              if (handler === undefined) break;
              next += 1;
              if (!isMatch(handler, view(), context)) continue;
              if (cancel !== undefined) throwIfAborted(cancel);
              call = new OpenCall(handler, context, startedAt);
              const answer = ask(handler, view(), call, limits, resume);
              if (answer === undefined) return;
              if (!goesOn(handler, answer)) break;
            }
            resolve();
          } catch (error) {
            reject(toError(error));
          }
        };
        /** One function for all handlers of a firing, since only one of them is waited for at a time. */
        const resume = (answer: HandlerAnswer): void => {
          try {
            const handler = handlers[next - 1];
            if (handler !== undefined && goesOn(handler, answer)) callOn();
            else resolve();
          } catch (error) {
            reject(toError(error));
          }
        };
        callOn();
      });
    },

    /** One that must not return a promise; if it does, the promise is the value and nobody waits for it. */
    atOnce(handler: HookRegistration, event: object, context: object, startedAt: number): EndedCall {
      const open = new OpenCall(handler, context, startedAt);
      let answer: HandlerAnswer;
      try {
        answer = { status: 'returned', value: call(handler, event, context, open) };
      } catch (error) {
        answer = { status: 'failed', error };
      }
      open.durationMs = clock.monotonic() - startedAt;
      return { handler, answer, call: open };
    },
  };
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(errorMessage(thrown));
}

type Told = Pick<HookTrace, 'decision' | 'changes' | 'note'>;

const nothingTold: Told = {};
const stopsNothing = (): undefined => undefined;

/** What becomes of an answer: read it, apply the hook's rule or say what its failure means, report, trace. */
function createVerdicts({ report, trace }: HookRunnerParts) {
  const reader = createAnswerReader(report);

  const tell = ({ handler, answer, call }: EndedCall, line: HookTrace): void => {
    const told = handler.ended === undefined ? line : handler.ended(line, answer, call);
    if (told !== undefined) trace?.(told);
  };
  const isToldOf = ({ handler }: EndedCall): boolean => trace !== undefined || handler.ended !== undefined;

  const write = (ended: EndedCall, reading: Reading, told: Told): void => {
    if (!isToldOf(ended)) return;
    const outcome = outcomeOf(reading, told);
    const line: HookTrace = ended.call;
    if (outcome === 'nothing' && told.note === undefined) tell(ended, line);
    else tell(ended, { ...line, outcome, ...told, ...errorOf(ended, reading) });
  };

  const throwIfCancelled = (ended: EndedCall): void => {
    if (ended.answer.status !== 'cancelled') return;
    write(ended, { status: 'cancelled' }, nothingTold);
    throw cancelledError();
  };

  /** Applies a rule to what a handler said; a result that the rule refuses is reported. */
  const apply = <Outcome>(
    handler: HookRegistration,
    said: Reading,
    rule: (result: RawResult) => Outcome,
  ): { readonly reading: Reading; readonly outcome?: Outcome } => {
    if (said.status !== 'result') return { reading: said };
    try {
      return { reading: said, outcome: rule(said.result) };
    } catch (error) {
      return { reading: reader.refuse(handler, error) };
    }
  };

  /** What a failure comes to; undefined where it stops nothing. */
  const onFailure = <Outcome>(
    ended: EndedCall,
    reading: Reading,
    rule: (result: RawResult) => Outcome | undefined,
    failClosed: (why: FailedHow) => Outcome | undefined,
  ): Outcome | undefined => {
    if (!isFailure(reading)) return undefined;
    const { handler, answer, call } = ended;
    if (handler.onFailure === undefined) return failClosed(failedHow(answer, reading));
    const result = handler.onFailure(failureOf(answer, reading), call);
    return result === undefined ? undefined : rule(result);
  };

  /** With what a handler said in it, or what its failure comes to. */
  const folded = <Event extends object, Outcome>(
    ended: EndedCall,
    said: Reading,
    rule: MergeRule<Event, Outcome>,
    before: Merged<Event, Outcome>,
  ): Merged<Event, Outcome> => {
    const { handler } = ended;
    const { hook, pluginId, band = 'normal' } = handler;
    let note: string | undefined;
    const source: ResultSource = {
      pluginId,
      band,
      note(level, code, message) {
        note = message;
        report({ level, code, message, pluginId });
      },
    };
    const fold = (result: RawResult): Outcome => rule.fold(before.outcome, result, source, before.event);
    const { reading, outcome } = apply(handler, said, fold);
    const failClosed = (why: FailedHow): Outcome | undefined =>
      rule.failClosed?.(before.outcome, pluginId, why);
    const after = outcome ?? onFailure(ended, reading, fold, failClosed);
    if (after === undefined) {
      write(ended, reading, nothingTold);
      return before;
    }
    const view = rule.view(before.event, after);
    if (isToldOf(ended)) {
      const changes = findChanges(before.view, view, hookCatalog[hook].redacts === true);
      const decision = rule.decision?.(before.outcome, after);
      write(ended, reading, {
        ...(changes.length === 0 ? {} : { changes }),
        ...(decision === undefined ? {} : { decision }),
        ...(note === undefined ? {} : { note }),
      });
    }
    return { event: before.event, outcome: after, view };
  };

  return {
    observed(ended: EndedCall): void {
      const { rule } = hookCatalog[ended.handler.hook];
      const useInstead = 'useInstead' in rule ? rule.useInstead : undefined;
      const reading = reader.readObserver(ended.handler, ended.answer, useInstead);
      onFailure(ended, reading, stopsNothing, stopsNothing);
      write(ended, reading, nothingTold);
    },

    /** With this handler's result in it. @throws PincerError `cancelled` */
    merged<Event extends object, Outcome>(
      ended: EndedCall,
      rule: MergeRule<Event, Outcome>,
      before: Merged<Event, Outcome>,
    ): Merged<Event, Outcome> {
      throwIfCancelled(ended);
      const { handler, answer } = ended;
      const isSync = hookCatalog[handler.hook].kind === 'sync';
      const said = isSync ? reader.readSync(handler, answer) : reader.read(handler, answer);
      if (said.status === 'nothing') {
        // What most handlers of most hooks come to, with and without a trace: as little as possible on the way.
        if (handler.ended !== undefined) tell(ended, ended.call);
        else trace?.(ended.call);
        return before;
      }
      return folded(ended, said, rule, before);
    },

    /** Undefined where the handler left the event to the next one. @throws PincerError `cancelled` */
    claimed<Outcome>(ended: EndedCall, rule: ClaimRule<Outcome>): Outcome | undefined {
      throwIfCancelled(ended);
      const { handler, answer } = ended;
      const said = reader.read(handler, answer);
      const read = (result: RawResult): Outcome | undefined => rule.read(result, handler.pluginId);
      const { reading, outcome } = apply(handler, said, read);
      const claimed = outcome ?? onFailure(ended, reading, read, stopsNothing);
      write(ended, reading, claimed === undefined ? nothingTold : { decision: claimedFor(said) });
      return claimed;
    },

    /** Undefined where the handler let it pass. @throws PincerError `cancelled` */
    judged<Outcome>(ended: EndedCall, rule: GateRule<Outcome>): Outcome | undefined {
      throwIfCancelled(ended);
      const { handler, answer } = ended;
      const { pluginId } = handler;
      const read = (result: RawResult): Outcome | undefined => rule.read(result, pluginId);
      const { reading, outcome } = apply(handler, reader.readGate(handler, answer), read);
      const verdict = outcome ?? onFailure(ended, reading, read, (why) => rule.failClosed(pluginId, why));
      write(ended, reading, { decision: verdict === undefined ? passed : blocked });
      return verdict;
    },
  };
}

function claimedFor(said: Reading): HookDecision {
  const reason = said.status === 'result' ? said.result['reason'] : undefined;
  return { kind: 'claimed', ...(typeof reason === 'string' && reason !== '' ? { reason } : {}) };
}

// A gate's own reason may quote the user.
const passed: HookDecision = { kind: 'passed' };
const blocked: HookDecision = { kind: 'blocked' };

function isFailure(reading: Reading): boolean {
  return reading.status !== 'nothing' && reading.status !== 'result';
}

function failureOf(answer: HandlerAnswer, reading: Reading): HandlerFailure {
  if (reading.status === 'invalid') return { status: 'invalid', error: reading.error };
  return answer.status === 'failed' ? answer : { status: 'timed-out' };
}

function failedHow(answer: HandlerAnswer, reading: Reading): FailedHow {
  if (reading.status === 'invalid') return 'invalid';
  return answer.status === 'failed' && isHang(answer.error) ? 'skipped' : 'failed';
}

/** A plugin may throw such an error, too, and says nothing with it but that it hangs: its text is read nowhere. */
function isHang(error: unknown): boolean {
  return error instanceof PincerError && error.code === 'plugin_call_hung';
}

function outcomeOf(reading: Reading, told: Told): HookTrace['outcome'] {
  if (reading.status !== 'nothing' && reading.status !== 'result') return reading.status;
  if (told.decision !== undefined) return 'decided';
  return told.changes === undefined ? 'nothing' : 'changed';
}

function errorOf({ handler, answer }: EndedCall, reading: Reading): Pick<HookTrace, 'error'> {
  if (hookCatalog[handler.hook].confidential === true) return {};
  if (reading.status === 'invalid') return { error: reading.why };
  return answer.status === 'failed' ? { error: errorMessage(answer.error) } : {};
}
