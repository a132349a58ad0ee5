import { cancelledError, throwIfAborted } from '../base/abort.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Clock } from '../host/ports.ts';
import { callHandler, callSyncHandler, type HandlerAnswer } from './callHandler.ts';
import { createAnswerReader, type Reading } from './createAnswerReader.ts';
import type { HookRegistration } from './createHookRegistry.ts';
import { hookCatalog } from './hookCatalog.ts';
import type { HookTrace } from './hookTrace.ts';
import type { ClaimRule, GateRule, MergeRule, RawResult, ResultSource } from './mergeRule.ts';

export interface HandlerCallParts {
  readonly clock: Clock;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Called after each handler; absent, nothing is measured. */
  readonly trace?: (record: HookTrace) => void;
}

type Signal = AbortSignal | undefined;

/** One call of one handler: call, read the answer, apply the hook's rule, report, trace. The verbs add the order. */
export interface HandlerCalls {
  observe(handler: HookRegistration, event: object, context: object, signal: Signal): Promise<void>;
  /** The outcome with this handler's result in it. @throws PincerError `cancelled` */
  modify<Event extends object, Outcome>(
    handler: HookRegistration,
    rule: MergeRule<Event, Outcome>,
    before: { readonly event: Event; readonly outcome: Outcome },
    context: object,
    signal: Signal,
  ): Promise<Outcome>;
  /** As `modify`, without waiting. */
  sync<Event extends object, Outcome>(
    handler: HookRegistration,
    rule: MergeRule<Event, Outcome>,
    before: { readonly event: Event; readonly outcome: Outcome },
    context: object,
  ): Outcome;
  /** Undefined where the handler left the event to the next one. @throws PincerError `cancelled` */
  claim<Outcome>(
    handler: HookRegistration,
    rule: ClaimRule<Outcome>,
    event: object,
    context: object,
    signal: Signal,
  ): Promise<Outcome | undefined>;
  /** Undefined where the handler let it pass. @throws PincerError `cancelled` */
  gate<Outcome>(
    handler: HookRegistration,
    rule: GateRule<Outcome>,
    event: object,
    context: object,
    signal: Signal,
  ): Promise<Outcome | undefined>;
}

/** Writes the trace of one call; `stopped` says that no later handler is asked. */
type Finish = (reading: Reading, stopped: boolean) => void;

export function createHandlerCalls({ clock, report, trace }: HandlerCallParts): HandlerCalls {
  const reader = createAnswerReader(report);

  const begin = (handler: HookRegistration): Finish => {
    if (trace === undefined) return writeNothing;
    const start = clock.monotonic();
    const { hook, pluginId } = handler;
    return (reading, stopped) =>
      trace({ hook, pluginId, durationMs: clock.monotonic() - start, ...summaryOf(reading, stopped) });
  };

  const ask = async (
    handler: HookRegistration,
    event: object,
    context: object,
    signal: Signal,
    finish: Finish,
  ): Promise<HandlerAnswer> => {
    if (signal !== undefined) throwIfAborted(signal);
    const answer = await callHandler(handler, event, context, { clock, signal });
    if (answer.status !== 'cancelled') return answer;
    finish({ status: 'cancelled' }, true);
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

  const merge = <Event, Outcome>(
    handler: HookRegistration,
    rule: MergeRule<Event, Outcome>,
    before: { readonly event: Event; readonly outcome: Outcome },
    said: Reading,
    finish: Finish,
  ): Outcome => {
    const source = sourceOf(handler, report);
    const applied = apply(handler, said, (result) => rule.fold(before.outcome, result, source, before.event));
    const failed = isFailure(applied.reading)
      ? rule.failClosed?.(before.outcome, handler.pluginId)
      : undefined;
    const outcome = applied.outcome ?? failed ?? before.outcome;
    finish(applied.reading, rule.isFinal?.(outcome) === true);
    return outcome;
  };

  return {
    async observe(handler, event, context, signal) {
      const finish = begin(handler);
      const answer = await callHandler(handler, event, context, { clock, signal });
      const { rule } = hookCatalog[handler.hook];
      finish(reader.readObserver(handler, answer, 'useInstead' in rule ? rule.useInstead : undefined), false);
    },
    async modify(handler, rule, before, context, signal) {
      const finish = begin(handler);
      const view = rule.view(before.event, before.outcome);
      const answer = await ask(handler, view, context, signal, finish);
      return merge(handler, rule, before, reader.read(handler, answer), finish);
    },
    sync(handler, rule, before, context) {
      const finish = begin(handler);
      const answer = callSyncHandler(handler, rule.view(before.event, before.outcome), context);
      return merge(handler, rule, before, reader.readSync(handler, answer), finish);
    },
    async claim(handler, rule, event, context, signal) {
      const finish = begin(handler);
      const said = reader.read(handler, await ask(handler, event, context, signal, finish));
      const { reading, outcome } = apply(handler, said, (result) => rule.read(result, handler.pluginId));
      finish(reading, outcome !== undefined);
      return outcome;
    },
    async gate(handler, rule, event, context, signal) {
      const finish = begin(handler);
      const said = reader.readGate(handler, await ask(handler, event, context, signal, finish));
      const { reading, outcome } = apply(handler, said, (result) => rule.read(result, handler.pluginId));
      const why = reading.status === 'invalid' ? 'invalid' : 'failed';
      const verdict = isFailure(reading) ? rule.failClosed(handler.pluginId, why) : outcome;
      finish(reading, verdict !== undefined);
      return verdict;
    },
  };
}

function writeNothing(): void {
  // Nobody traces.
}

function isFailure(reading: Reading): boolean {
  return reading.status !== 'nothing' && reading.status !== 'result';
}

function sourceOf({ pluginId }: HookRegistration, report: HandlerCallParts['report']): ResultSource {
  return { pluginId, note: (level, code, message) => report({ level, code, message, pluginId }) };
}

function summaryOf(reading: Reading, stopped: boolean): Pick<HookTrace, 'outcome' | 'changed'> {
  if (reading.status !== 'result') return { outcome: reading.status };
  return { outcome: stopped ? 'stopped' : 'changed', changed: Object.keys(reading.result) };
}
