// Threat: the trace quotes what must not be written down. What a gate blocked leaves nothing of the user's words (rulings
// H12), values are cut short, and every text is one inert line, since plugins wrote it and a person reads it.
import { inertLine } from '../base/text.ts';
import type { FieldChange, HookDecision, HookTrace } from '../hooks/hookTrace.ts';
import type { HookFacts, RunStep, RunTrace, StepFacts, TraceLine, TraceStatus } from './runTrace.ts';

/** What was recorded of one run, as it came. */
export interface RunRecord {
  readonly runId: string;
  readonly sessionKey: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The same moment by the clock that only grows. */
  readonly origin: number;
  readonly hooks: readonly HookTrace[];
  readonly steps: readonly RunStep[];
  readonly omitted: number;
  readonly end?: RunEnd;
}

export interface RunEnd {
  readonly status: Exclude<TraceStatus, 'running'>;
  readonly durationMs: number;
  readonly blockedBy?: string;
  readonly error?: string;
}

const maxText = 200;

/** The trace as anybody may see it. `redact` takes secrets out of a text. Pure. */
export function buildTrace(record: RunRecord, redact: (text: string) => string = same): RunTrace {
  const { runId, sessionKey, startedAt, origin, omitted, end } = record;
  const isBlocked = end?.status === 'blocked' || record.hooks.some(isBlockedRun);
  // Only what is longer is cut, and only after secrets are out: half a secret is not recognised any more.
  const inert = (text: string): string => inertLine(redact(text), maxText);
  const place = (each: { readonly startedAt: number; readonly durationMs: number }) => ({
    at: each.startedAt - origin,
    durationMs: each.durationMs,
  });
  const lines = [
    ...record.hooks.map((each): TraceLine => ({ ...hookFacts(each, isBlocked, inert), ...place(each) })),
    ...record.steps.map((each): TraceLine => ({ ...stepFacts(each, inert), ...place(each) })),
  ].sort((a, b) => a.at - b.at);
  return {
    version: 1,
    runId,
    sessionKey,
    startedAt,
    status: end?.status ?? 'running',
    ...(end === undefined ? {} : { durationMs: end.durationMs }),
    ...(end?.blockedBy === undefined ? {} : { blockedBy: end.blockedBy }),
    ...(end?.error === undefined || isBlocked ? {} : { error: inert(end.error) }),
    lines,
    omitted,
  };
}

function same(text: string): string {
  return text;
}

function isBlockedRun({ hook, decision }: HookTrace): boolean {
  return hook === 'before_agent_run' && decision?.kind === 'blocked';
}

type Inert = (text: string) => string;

function hookFacts(record: HookTrace, isBlocked: boolean, inert: Inert): HookFacts {
  const { hook, pluginId, outcome, context, decision, changes, error, note } = record;
  const { toolName, toolCallId } = context as Readonly<Record<string, unknown>>;
  return {
    kind: 'hook',
    hook,
    pluginId,
    outcome,
    ...(typeof toolName === 'string' ? { toolName: inert(toolName) } : {}),
    ...(typeof toolCallId === 'string' ? { toolCallId } : {}),
    ...(decision === undefined ? {} : { decision: inertDecision(decision, isBlocked, inert) }),
    ...(changes === undefined ? {} : { changes: changes.map((each) => inertChange(each, isBlocked, inert)) }),
    ...(error === undefined || isBlocked ? {} : { error: inert(error) }),
    ...(note === undefined || isBlocked ? {} : { note: inert(note) }),
  };
}

function inertDecision({ kind, reason }: HookDecision, isBlocked: boolean, inert: Inert): HookDecision {
  return reason === undefined || isBlocked ? { kind } : { kind, reason: inert(reason) };
}

function inertChange(change: FieldChange, isBlocked: boolean, inert: Inert): FieldChange {
  const { path, before, after, isHidden } = change;
  if (isBlocked) return { path: inert(path), isHidden: true };
  return {
    path: inert(path),
    ...(before === undefined ? {} : { before: inert(before) }),
    ...(after === undefined ? {} : { after: inert(after) }),
    ...(isHidden === undefined ? {} : { isHidden }),
  };
}

function stepFacts({ startedAt: _at, durationMs: _took, ...facts }: RunStep, inert: Inert) {
  switch (facts.kind) {
    case 'model':
    case 'tool':
      return facts.error === undefined ? facts : { ...facts, error: inert(facts.error) };
    case 'policy': {
      const { reason, changes, ...rest } = facts;
      return {
        ...rest,
        ...(reason === undefined ? {} : { reason: inert(reason) }),
        ...(changes === undefined
          ? {}
          : { changes: changes.map((change) => inertChange(change, false, inert)) }),
      };
    }
    case 'approval':
      return { ...facts, title: inert(facts.title) };
    case 'retry':
    case 'fallback':
      return { ...facts, error: inert(facts.error) };
    case 'point':
      return pointFacts(facts, inert);
    case 'compaction':
      return facts.outcome === 'failed' ? { ...facts, error: inert(facts.error) } : facts;
    default:
      return facts;
  }
}

function pointFacts(facts: Extract<StepFacts, { kind: 'point' }>, inert: Inert): StepFacts {
  const { message, error, changes, notices, ...rest } = facts;
  return {
    ...rest,
    ...(message === undefined ? {} : { message: inert(message) }),
    ...(error === undefined ? {} : { error: inert(error) }),
    ...(changes === undefined ? {} : { changes: changes.map((change) => inertChange(change, false, inert)) }),
    ...(notices === undefined
      ? {}
      : {
          notices: notices.map(({ kind, code, message: text }) => ({
            kind: inert(kind),
            ...(code === undefined ? {} : { code: inert(code) }),
            message: inert(text),
          })),
        }),
  };
}
