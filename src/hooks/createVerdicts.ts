// Threat: an answer may be of any type, throw where it is read, or read differently each time. It is copied once, then checked; what
// is wrong with it counts as a failure of its handler, which stops the operation where the hook fails closed.
import { cancelledError } from '../base/abort.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { copyData, isThenable } from '../base/untrusted.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import {
  withRoomForContext,
  type EndedCall,
  type HandlerAnswer,
  type HandlerFailure,
  type HookRegistration,
} from './callHandlers.ts';
import { findChanges } from './findChanges.ts';
import { hookCatalog } from './hookCatalog.ts';
import type { HookName } from './hookMap.ts';
import * as reports from './hookReports.ts';
import type { HookTrace } from './hookTrace.ts';
import type {
  ClaimRule,
  HandlerFailureKind,
  FiringName,
  GateRule,
  HookDecision,
  MergeRule,
  RawResult,
  ResultSource,
} from './hookTypes.ts';

/** An outcome, and the event with it applied, as the next handler gets it. */
interface Merged<Event, Outcome> {
  readonly event: Event;
  readonly outcome: Outcome;
  readonly view: Event;
}

/** The state before the first handler. */
export function beginMerge<Event extends object, Outcome>(
  rule: MergeRule<Event, Outcome>,
  event: Event,
): Merged<Event, Outcome> {
  const roomy = withRoomForContext(event);
  const outcome = rule.initial(event);
  return { event: roomy, outcome, view: rule.view(roomy, outcome) };
}

type TraceDetails = Pick<HookTrace, 'decision' | 'changes' | 'note'>;

const noDetails: TraceDetails = {};
const stopsNothing = (): undefined => undefined;

/** Called after each handler; undefined: nothing is compared. */
type TellTrace = ((record: HookTrace) => void) | undefined;

/** What becomes of an answer: read it, apply the hook's rule or say what its failure means, report, trace. */
export function createVerdicts(report: (diagnostic: Diagnostic) => void, trace: TellTrace) {
  const reader = createAnswerReader(report);

  const tell = ({ handler, answer, call }: EndedCall, line: HookTrace): void => {
    const told = handler.ended === undefined ? line : handler.ended(line, answer, call);
    if (told !== undefined) trace?.(told);
  };
  const isToldOf = ({ handler }: EndedCall): boolean => trace !== undefined || handler.ended !== undefined;

  const write = (ended: EndedCall, reading: Reading, told: TraceDetails): void => {
    if (!isToldOf(ended)) return;
    const outcome = outcomeOf(reading, told);
    const line: HookTrace = ended.call;
    if (outcome === 'nothing' && told.note === undefined) tell(ended, line);
    else tell(ended, { ...line, outcome, ...told, ...errorOf(ended, reading) });
  };

  const throwIfCancelled = (ended: EndedCall): void => {
    if (ended.answer.status !== 'cancelled') return;
    write(ended, { status: 'cancelled' }, noDetails);
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
    failClosed: (why: HandlerFailureKind) => Outcome | undefined,
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
    const failClosed = (why: HandlerFailureKind): Outcome | undefined =>
      rule.failClosed?.(before.outcome, pluginId, why);
    const after = outcome ?? onFailure(ended, reading, fold, failClosed);
    if (after === undefined) {
      write(ended, reading, noDetails);
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
      write(ended, reading, noDetails);
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
      write(ended, reading, claimed === undefined ? noDetails : { decision: claimedFor(said) });
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

function failedHow(answer: HandlerAnswer, reading: Reading): HandlerFailureKind {
  if (reading.status === 'invalid') return 'invalid';
  return answer.status === 'failed' && isHang(answer.error) ? 'skipped' : 'failed';
}

/** A plugin may throw such an error, too, and says nothing with it but that it hangs: its text is read nowhere. */
function isHang(error: unknown): boolean {
  return error instanceof PincerError && error.code === 'plugin_call_hung';
}

function outcomeOf(reading: Reading, told: TraceDetails): HookTrace['outcome'] {
  if (reading.status !== 'nothing' && reading.status !== 'result') return reading.status;
  if (told.decision !== undefined) return 'decided';
  return told.changes === undefined ? 'nothing' : 'changed';
}

function errorOf({ handler, answer }: EndedCall, reading: Reading): Pick<HookTrace, 'error'> {
  if (hookCatalog[handler.hook].confidential === true) return {};
  if (reading.status === 'invalid') return { error: reading.why };
  return answer.status === 'failed' ? { error: errorMessage(answer.error) } : {};
}

/** What a handler said, once checked and copied. */
type Reading =
  | { readonly status: 'nothing' }
  | { readonly status: 'result'; readonly result: RawResult }
  | { readonly status: 'invalid'; readonly why: string; readonly error: unknown }
  | { readonly status: 'failed' | 'timed-out' | 'cancelled' };

interface AnswerReader {
  /** For hooks whose handlers decide something. Whatever is wrong has been reported when this returns. */
  read(handler: HookRegistration, answer: HandlerAnswer): Reading;
  /** For hooks that only observe: a returned object is reported where another hook could have used it. */
  readObserver(handler: HookRegistration, answer: HandlerAnswer, useInstead: HookName | undefined): Reading;
  /** For hooks that can't wait: a promise is reported and counts for nothing. */
  readSync(handler: HookRegistration, answer: HandlerAnswer): Reading;
  /** For gates, where saying nothing is no decision and so invalid. */
  readGate(handler: HookRegistration, answer: HandlerAnswer): Reading;
  /** Reports a result that its hook's rule refused. */
  refuse(handler: HookRegistration, error: unknown): Reading;
}

const nothing: Reading = { status: 'nothing' };

/**
 * Turns answers into readings and reports every failure, but those of a registration that does it itself; an odd but harmless
 * result is reported once per handler.
 */
function createAnswerReader(report: (diagnostic: Diagnostic) => void): AnswerReader {
  const reported = new WeakSet<HookRegistration>();
  const reportOnce = (handler: HookRegistration, make: () => Diagnostic): void => {
    if (reported.has(handler)) return;
    reported.add(handler);
    report(make());
  };
  const reportFailure = ({ onFailure }: HookRegistration, diagnostic: Diagnostic): void => {
    if (onFailure === undefined) report(diagnostic);
  };

  const refuse = (handler: HookRegistration, error: unknown): Reading => {
    const { confidential, kind } = hookCatalog[handler.hook];
    const hidden = kind === 'gate' ? 'it is no decision' : 'it is nothing that this hook reads';
    const why = confidential === true ? hidden : errorMessage(error);
    reportFailure(handler, reports.invalidResult(handler, why));
    return { status: 'invalid', why, error };
  };

  const fail = (
    handler: HookRegistration,
    answer: Exclude<HandlerAnswer, { status: 'returned' }>,
  ): Reading => {
    if (answer.status === 'failed') reportFailure(handler, reports.handlerFailed(handler, answer.error));
    if (answer.status === 'timed-out')
      reportFailure(handler, reports.handlerTimedOut(handler, handler.timeoutMs));
    return { status: answer.status };
  };

  const readValue = (handler: HookRegistration, value: unknown): Reading => {
    if (value == null) return nothing;
    if (!isRecord(value)) return refuse(handler, new Error(`it must be an object, not ${kindOf(value)}`));
    // What an adapter made is the host's own.
    if (hookCatalog[handler.hook].isInternal === true) return { status: 'result', result: value };
    try {
      if (value instanceof Error) throw value;
      const result = copyFields(handler.hook, value);
      const unknown = unknownFieldsOf(handler.hook, result);
      if (unknown.length > 0) reportOnce(handler, () => reports.unknownFields(handler, unknown));
      return { status: 'result', result };
    } catch (error) {
      return refuse(handler, error);
    }
  };

  return {
    refuse,
    read: (handler, answer) =>
      answer.status === 'returned' ? readValue(handler, answer.value) : fail(handler, answer),
    readObserver(handler, answer, useInstead) {
      if (answer.status !== 'returned') return fail(handler, answer);
      if (useInstead !== undefined && isRecord(answer.value)) {
        reportOnce(handler, () => reports.observerReturned(handler, useInstead));
      }
      return nothing;
    },
    readSync(handler, answer) {
      if (answer.status !== 'returned') return fail(handler, answer);
      const { value } = answer;
      if (!isThenable(value)) return readValue(handler, value);
      reportOnce(handler, () => reports.returnedPromise(handler));
      // Nobody waits for it, but a rejection must not reach the process as an unhandled one.
      Promise.resolve(value).then(undefined, (error: unknown) =>
        report(reports.handlerFailed(handler, error)),
      );
      const error = new Error('it returned a promise');
      return { status: 'invalid', why: error.message, error };
    },
    readGate(handler, answer) {
      if (answer.status !== 'returned') return fail(handler, answer);
      return isRecord(answer.value) ? readValue(handler, answer.value) : refuse(handler, answer.value);
    },
  };
}

/** A copy of a result; fields that it only inherits, as the accessors of a class, count like its own. */
function copyFields(hook: FiringName, value: Readonly<Record<string, unknown>>): RawResult {
  const copy: Record<string, unknown> = copyData(value);
  for (const field of hookCatalog[hook].returns) {
    if (!Object.hasOwn(copy, field) && field in value) copy[field] = copyData(value[field]);
  }
  return copy;
}

function unknownFieldsOf(hook: FiringName, result: RawResult): readonly string[] {
  const known: readonly string[] = hookCatalog[hook].returns;
  return Object.keys(result).filter((field) => !known.includes(field));
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
