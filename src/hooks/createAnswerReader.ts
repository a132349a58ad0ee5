import { errorMessage } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { HandlerAnswer } from './callHandler.ts';
import { copyData } from './copyData.ts';
import type { HookRegistration } from './createHookRegistry.ts';
import { hookCatalog } from './hookCatalog.ts';
import * as reports from './hookReports.ts';
import type { HookName } from './hookTypes.ts';
import { isThenable } from './isThenable.ts';
import type { RawResult } from './mergeRule.ts';

/** What a handler said, once checked and copied. */
export type Reading =
  | { readonly status: 'nothing' }
  | { readonly status: 'result'; readonly result: RawResult }
  | { readonly status: 'invalid'; readonly why: string }
  | { readonly status: 'failed' | 'timed-out' | 'cancelled' };

export interface AnswerReader {
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

/** Turns answers into readings and reports every failure; an odd but harmless result is reported once per handler. */
export function createAnswerReader(report: (diagnostic: Diagnostic) => void): AnswerReader {
  const reported = new WeakSet<HookRegistration>();
  const reportOnce = (handler: HookRegistration, make: () => Diagnostic): void => {
    if (reported.has(handler)) return;
    reported.add(handler);
    report(make());
  };

  const refuse = (handler: HookRegistration, error: unknown): Reading => {
    const { confidential, kind } = hookCatalog[handler.hook];
    const hidden = kind === 'gate' ? 'it is no decision' : 'it is nothing that this hook reads';
    const why = confidential === true ? hidden : errorMessage(error);
    report(reports.invalidResult(handler, why));
    return { status: 'invalid', why };
  };

  const fail = (
    handler: HookRegistration,
    answer: Exclude<HandlerAnswer, { status: 'returned' }>,
  ): Reading => {
    if (answer.status === 'failed') report(reports.handlerFailed(handler, answer.error));
    if (answer.status === 'timed-out') report(reports.handlerTimedOut(handler, handler.timeoutMs));
    return { status: answer.status };
  };

  const readValue = (handler: HookRegistration, value: unknown): Reading => {
    if (value == null) return nothing;
    if (!isRecord(value)) return refuse(handler, new Error(`it must be an object, not ${kindOf(value)}`));
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
      return { status: 'invalid', why: 'it returned a promise' };
    },
    readGate(handler, answer) {
      if (answer.status !== 'returned') return fail(handler, answer);
      return isRecord(answer.value) ? readValue(handler, answer.value) : refuse(handler, answer.value);
    },
  };
}

/** A copy of a result; fields that it only inherits, as the accessors of a class, count like its own. */
function copyFields(hook: HookName, value: Readonly<Record<string, unknown>>): RawResult {
  const copy: Record<string, unknown> = copyData(value);
  for (const field of hookCatalog[hook].returns) {
    if (!Object.hasOwn(copy, field) && field in value) copy[field] = copyData(value[field]);
  }
  return copy;
}

function unknownFieldsOf(hook: HookName, result: RawResult): readonly string[] {
  const known: readonly string[] = hookCatalog[hook].returns;
  return Object.keys(result).filter((field) => !known.includes(field));
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
