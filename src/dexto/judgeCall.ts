import { errorMessage } from '../base/errors.ts';
import { inertText, truncate } from '../base/text.ts';
import { findChanges } from '../hooks/findChanges.ts';
import type { FieldChange } from '../hooks/hookTrace.ts';
import { applyModify, type Modified } from './applyModify.ts';
import type { CallEnd, PluginCall } from './callPlugin.ts';
import { decideResult } from './decideResult.ts';
import type { PointPayloads } from './extensionPoints.ts';
import type { ExtensionPoint, PluginNotice } from './pluginTypes.ts';
import type { PointOutcomeKind } from './pointFacts.ts';
import { pointRules } from './pointRules.ts';
import { readResult } from './readResult.ts';

/** What one plugin made of a payload. Texts are safe to show, and hold none of its secrets. */
export interface Verdict<P extends ExtensionPoint = ExtensionPoint> {
  readonly outcome: PointOutcomeKind;
  /** What the plugin said of itself; false where it said nothing. */
  readonly ok: boolean;
  /** For the next plugin. */
  readonly payload: PointPayloads[P];
  /** Stops the operation, with these words. */
  readonly block?: string;
  readonly changes: readonly FieldChange[];
  /** Fields that it wanted to change, and can't. */
  readonly refused: readonly string[];
  readonly message?: string;
  readonly error?: string;
  readonly notices: readonly PluginNotice[];
}

const maxError = 1_000;

/** What becomes of the end of a plugin's call (Dexto plugin specification, Error Handling Pseudo-Code). Pure. */
export function judgeCall<P extends ExtensionPoint>(asked: PluginCall<P>, end: CallEnd): Verdict<P> {
  switch (end.status) {
    case 'returned':
      return judgeAnswer(asked, end.value);
    case 'failed':
      return judgeFailure(asked, end.error);
    case 'timed-out':
      return judgeTimeout(asked);
    case 'cancelled':
      return { ...nothingSaid(asked), outcome: 'cancelled' };
  }
}

function judgeAnswer<P extends ExtensionPoint>(asked: PluginCall<P>, value: unknown): Verdict<P> {
  const { plugin, point, payload } = asked;
  try {
    const answer = readResult(value, plugin.redact);
    const { kind, applies } = decideResult(answer, plugin.blocking);
    const { modify } = answer;
    const { payload: after, refused }: Modified<P> =
      applies && modify !== undefined ? applyModify(point, payload, modify) : { payload, refused: [] };
    const changes = after === payload ? [] : findChanges(payload, after, pointRules[point].hidesValues);
    const passed = changes.length === 0 ? 'nothing' : 'changed';
    return {
      outcome: kind === 'passed' ? passed : kind,
      ok: answer.ok,
      payload: after,
      ...(kind === 'blocked' ? { block: answer.message ?? `The plugin ${plugin.name} stopped this.` } : {}),
      changes,
      refused,
      ...(answer.message === undefined ? {} : { message: answer.message }),
      notices: answer.notices,
    };
  } catch (error) {
    return judgeFailure(asked, error);
  }
}

/** A plugin that throws stops the operation where it is blocking. Where its words may quote the conversation, they stay here. */
function judgeFailure<P extends ExtensionPoint>(asked: PluginCall<P>, thrown: unknown): Verdict<P> {
  const { plugin, point } = asked;
  const { isConfidential, consequence } = pointRules[point];
  const error = truncate(inertText(plugin.redact(errorMessage(thrown))), maxError);
  const why = isConfidential ? '.' : `: ${error}`;
  return {
    ...nothingSaid(asked),
    outcome: 'failed',
    error,
    ...(plugin.blocking ? { block: `The plugin ${plugin.name} failed, so ${consequence}${why}` } : {}),
  };
}

function judgeTimeout<P extends ExtensionPoint>(asked: PluginCall<P>): Verdict<P> {
  const { name, timeoutMs, blocking } = asked.plugin;
  const took = `longer than ${timeoutMs} ms`;
  const { consequence } = pointRules[asked.point];
  return {
    ...nothingSaid(asked),
    outcome: 'timed-out',
    error: `It took ${took}.`,
    ...(blocking ? { block: `The plugin ${name} took ${took}, so ${consequence}.` } : {}),
  };
}

function nothingSaid<P extends ExtensionPoint>({ payload }: PluginCall<P>) {
  return { ok: false, payload, changes: [], refused: [], notices: [] } as const;
}
