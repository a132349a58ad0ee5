import { cancelledError } from '../base/abort.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { HandlerAnswer } from './callHandler.ts';
import { createAnswerReader, type Reading } from './createAnswerReader.ts';
import type { HookRegistration } from './createHookRegistry.ts';
import { findChanges } from './findChanges.ts';
import { hookCatalog } from './hookCatalog.ts';
import type { HookDecision, HookTrace } from './hookTrace.ts';
import type { ClaimRule, FailedHow, GateRule, MergeRule, RawResult, ResultSource } from './mergeRule.ts';

/** One call of one handler that has ended. */
export interface HandlerCall {
  readonly handler: HookRegistration;
  readonly answer: HandlerAnswer;
  /** What the trace is told where the handler said nothing. */
  readonly line: HookTrace;
}

/** A line that is not finished: how long the call takes is not known yet. */
export type OpenLine = Omit<HookTrace, 'durationMs'> & { durationMs: number };

/**
 * Begins the line of one call; `startedAt` is by the clock that only grows. It takes the place of an object that each call
 * needs anyway, and most handlers say nothing, so that it is handed to the trace as it is. It knows no more of the plugin than
 * its id: traces outlive plugins.
 */
export function beginLine(
  { hook, pluginId }: HookRegistration,
  context: object,
  startedAt: number,
): OpenLine {
  return { hook, pluginId, startedAt, durationMs: 0, outcome: 'nothing', context };
}

/** An outcome, and the event with it applied, as the next handler gets it. */
export interface Merged<Event, Outcome> {
  readonly event: Event;
  readonly outcome: Outcome;
  readonly view: Event;
}

/** What becomes of an answer: read it, apply the hook's rule, report, trace. The verbs add order and waiting. */
export interface HandlerCalls {
  observed(call: HandlerCall): void;
  /** With this handler's result in it. @throws PincerError `cancelled` */
  merged<Event extends object, Outcome>(
    call: HandlerCall,
    rule: MergeRule<Event, Outcome>,
    before: Merged<Event, Outcome>,
  ): Merged<Event, Outcome>;
  /** Undefined where the handler left the event to the next one. @throws PincerError `cancelled` */
  claimed<Outcome>(call: HandlerCall, rule: ClaimRule<Outcome>): Outcome | undefined;
  /** Undefined where the handler let it pass. @throws PincerError `cancelled` */
  judged<Outcome>(call: HandlerCall, rule: GateRule<Outcome>): Outcome | undefined;
}

type Told = Pick<HookTrace, 'decision' | 'changes' | 'note'>;

const nothingTold: Told = {};

export function createHandlerCalls(
  report: (diagnostic: Diagnostic) => void,
  trace: ((record: HookTrace) => void) | undefined,
): HandlerCalls {
  const reader = createAnswerReader(report);

  const write = (call: HandlerCall, reading: Reading, told: Told): void => {
    if (trace === undefined) return;
    const outcome = outcomeOf(reading, told);
    if (outcome === 'nothing' && told.note === undefined) trace(call.line);
    else trace({ ...call.line, outcome, ...told, ...errorOf(call, reading) });
  };

  const throwIfCancelled = (call: HandlerCall): void => {
    if (call.answer.status !== 'cancelled') return;
    write(call, { status: 'cancelled' }, nothingTold);
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

  return {
    observed(call) {
      const { rule } = hookCatalog[call.handler.hook];
      const useInstead = 'useInstead' in rule ? rule.useInstead : undefined;
      write(call, reader.readObserver(call.handler, call.answer, useInstead), nothingTold);
    },

    merged(call, rule, before) {
      throwIfCancelled(call);
      const { handler, answer } = call;
      const isSync = hookCatalog[handler.hook].kind === 'sync';
      const said = isSync ? reader.readSync(handler, answer) : reader.read(handler, answer);
      if (said.status === 'nothing') {
        // What most handlers of most hooks come to, with and without a trace: as little as possible on the way.
        trace?.(call.line);
        return before;
      }
      let note: string | undefined;
      const source: ResultSource = {
        pluginId: handler.pluginId,
        note(level, code, message) {
          note = message;
          report({ level, code, message, pluginId: handler.pluginId });
        },
      };
      const { reading, outcome } = apply(handler, said, (result) =>
        rule.fold(before.outcome, result, source, before.event),
      );
      const failed = isFailure(reading)
        ? rule.failClosed?.(before.outcome, handler.pluginId, failedHow(call, reading))
        : undefined;
      const after = outcome ?? failed;
      if (after === undefined) {
        write(call, reading, nothingTold);
        return before;
      }
      const view = rule.view(before.event, after);
      if (trace !== undefined) {
        const isHidden = hookCatalog[handler.hook].redacts === true;
        const changes = findChanges(before.view, view, isHidden);
        const decision = rule.decision?.(before.outcome, after);
        write(call, reading, {
          ...(changes.length === 0 ? {} : { changes }),
          ...(decision === undefined ? {} : { decision }),
          ...(note === undefined ? {} : { note }),
        });
      }
      return { event: before.event, outcome: after, view };
    },

    claimed(call, rule) {
      throwIfCancelled(call);
      const { handler, answer } = call;
      const said = reader.read(handler, answer);
      const { reading, outcome } = apply(handler, said, (result) => rule.read(result, handler.pluginId));
      write(call, reading, outcome === undefined ? nothingTold : { decision: claimedFor(said) });
      return outcome;
    },

    judged(call, rule) {
      throwIfCancelled(call);
      const { handler, answer } = call;
      const said = reader.readGate(handler, answer);
      const { reading, outcome } = apply(handler, said, (result) => rule.read(result, handler.pluginId));
      const verdict = isFailure(reading)
        ? rule.failClosed(handler.pluginId, failedHow(call, reading))
        : outcome;
      write(call, reading, { decision: verdict === undefined ? passed : blocked });
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

function failedHow({ answer }: HandlerCall, reading: Reading): FailedHow {
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

function errorOf({ handler, answer }: HandlerCall, reading: Reading): Pick<HookTrace, 'error'> {
  if (hookCatalog[handler.hook].confidential === true) return {};
  if (reading.status === 'invalid') return { error: reading.why };
  return answer.status === 'failed' ? { error: errorMessage(answer.error) } : {};
}
