// Threat: the trace quotes what must not be written down. What a gate blocked leaves nothing of the user's words,
// values are cut short, and every text is one inert line, since plugins wrote it and a person reads it.
import { inertLine } from '../base/text.ts';
import { hookCatalog } from '../hooks/hookCatalog.ts';
import type { FieldChange, HookTrace, ReportedCall } from '../hooks/hookTrace.ts';
import type { HookDecision, FiringName } from '../hooks/hookTypes.ts';
import type {
  HookFacts,
  PointFacts,
  RunStep,
  RunTrace,
  StepFacts,
  TraceLine,
  TraceStatus,
} from './runTrace.ts';

/** What was recorded of one run, as it came. */
export interface RunRecord {
  readonly runId: string;
  readonly sessionKey: string;
  readonly sessionId?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The same moment by the monotonic clock. */
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
  const isBlocked =
    end?.status === 'blocked' || record.hooks.some(isBlockedRun) || record.steps.some(isReplaced);
  const stopped = stoppedHooks(record.hooks);
  // Only what is longer is cut, and only after secrets are out: half a secret is not recognised any more.
  const inert = (text: string): string => inertLine(redact(text), maxText);
  const place = (each: { readonly startedAt: number; readonly durationMs: number }) => ({
    at: each.startedAt - origin,
    durationMs: each.durationMs,
  });
  const lines = [
    ...record.hooks.map((each): TraceLine => {
      const { told } = each;
      // What a handler says for people may quote what another one stopped.
      const facts =
        told === undefined
          ? hookFacts(each, isBlocked, inert)
          : pointFacts(each, told, isBlocked || stopped.has(each.hook), inert);
      return { ...facts, ...place(each) };
    }),
    ...record.steps.map((each): TraceLine => ({ ...stepFacts(each, isBlocked, inert), ...place(each) })),
  ].sort((a, b) => a.at - b.at);
  return {
    version: 1,
    runId,
    sessionKey,
    ...(record.sessionId === undefined ? {} : { sessionId: record.sessionId }),
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

/** Also where the turn goes on: it was said while the turn ran. */
function isReplaced(step: RunStep): boolean {
  return step.kind === 'message' && step.outcome === 'replaced';
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

/** Hooks that see the conversation where a handler stopped it: what the others said of it may quote it, too. */
function stoppedHooks(records: readonly HookTrace[]): ReadonlySet<FiringName> {
  const stopped = records.filter(({ told }) => told !== undefined && hasStopped(told));
  return new Set(stopped.map(({ hook }) => hook).filter((hook) => hookCatalog[hook].confidential === true));
}

/** True where a handler stopped the operation by its word or by a fault of its own. */
export function hasStopped({ outcome, blocking }: Pick<ReportedCall, 'outcome' | 'blocking'>): boolean {
  return outcome === 'blocked' || (blocking && (outcome === 'failed' || outcome === 'timed-out'));
}

/** `isSilent`: nothing is left of the words that were used. */
function pointFacts(
  { hook, pluginId, context, changes }: HookTrace,
  { blocking, outcome, message, error, refused, notices }: ReportedCall,
  isSilent: boolean,
  inert: Inert,
): PointFacts {
  const { toolName, toolCallId } = context as Readonly<Record<string, unknown>>;
  return {
    kind: 'point',
    point: hook,
    pluginId: inert(pluginId),
    blocking,
    outcome,
    ...(typeof toolName === 'string' ? { toolName: inert(toolName) } : {}),
    ...(typeof toolCallId === 'string' ? { toolCallId } : {}),
    ...(message === undefined || isSilent ? {} : { message: inert(message) }),
    ...(error === undefined || isSilent ? {} : { error: inert(error) }),
    ...(changes === undefined ? {} : { changes: changes.map((each) => inertChange(each, isSilent, inert)) }),
    ...(refused === undefined || isSilent ? {} : { refused: refused.map(inert) }),
    ...(notices === undefined
      ? {}
      : {
          notices: notices.map(({ kind, code, message: words }) => ({
            kind: inert(kind),
            ...(code === undefined ? {} : { code: inert(code) }),
            message: isSilent ? '' : inert(words),
          })),
        }),
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

function stepFacts(
  { startedAt: _at, durationMs: _took, ...facts }: RunStep,
  isBlocked: boolean,
  inert: Inert,
): StepFacts {
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
    case 'approval': {
      const { asked, ...rest } = facts;
      // A command may repeat what the user said.
      const isKept = asked !== undefined && !isBlocked;
      return { ...rest, title: inert(facts.title), ...(isKept ? { asked: inert(asked) } : {}) };
    }
    case 'retry':
    case 'fallback':
      return { ...facts, error: inert(facts.error) };
    case 'compaction':
      return facts.outcome === 'failed' ? { ...facts, error: inert(facts.error) } : facts;
    default:
      return facts;
  }
}
