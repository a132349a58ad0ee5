// Threat: the title and description of a question may come from a plugin or, through parameters, from a model. They must
// not forge a line, reverse what is read, plant a clickable "[Approve](command:…)", or hide the tail of a call behind a
// cut. What cannot be shown whole may be allowed once, never always.
import { hasHiddenCharacters, inertLine, truncate } from '../base/text.ts';
import { stableStringify } from '../base/json.ts';
import type { ApprovalAsk, ApprovalDecision, ApprovalSeverity } from '../contracts/approval.ts';
import type { Params } from '../contracts/jsonTypes.ts';
import { defaultApprovalMs } from '../config/sections/approvalsSection.ts';
import type { GrantScope } from './planGrantScope.ts';
import { withoutMarks } from './withoutMarks.ts';

const maxTitle = 80;
const maxDescription = 256;
/** Parameters are shown whole up to this many characters of JSON; an edit is shown whole as a diff instead. */
const maxShownParams = 1_000;
const maxGrantLabel = 120;
const maxTimeoutMs = 600_000;
/** How long a question waits where nobody follows its turn: a week. */
const unattendedTimeoutMs = 7 * 24 * 60 * 60 * 1_000;
/** How much longer a request waits that has several changes to look at. */
const reviewFactor = 5;

export interface ApprovalPlanInput {
  readonly asks: readonly [ApprovalAsk, ...ApprovalAsk[]];
  readonly params: Params;
  /** True where a diff shows the whole call. */
  readonly hasEdits: boolean;
  /** True where there is more than one change to look at: that takes longer, and silence about it is never a yes. */
  readonly isReview?: boolean;
  /** Undefined where an "always" could not be scoped. */
  readonly scope: GrantScope | undefined;
  /** The waiting time that the user wrote into the config; asks may only shorten it. */
  readonly timeoutMs?: number | undefined;
  readonly timeoutMayAllow: boolean;
  /** True where a person may come back much later. */
  readonly waitsLong?: boolean;
  /** What the host says before anything else. */
  readonly note?: string;
}

/** What one request says and offers. */
interface ApprovalPlan {
  readonly title: string;
  readonly description: string;
  readonly severity: ApprovalSeverity;
  readonly askers: readonly string[];
  readonly decisions: readonly ApprovalDecision[];
  readonly grantLabel: string;
  readonly timeoutMs: number;
  /** It is the host's own: no plugin wants a shorter one. */
  readonly isTimeWatched: boolean;
  /** The shortest time that a plugin set: it runs by the clock, also where the host's does not. */
  readonly clockMs?: number;
  readonly timeoutAllows: boolean;
}

/** Merges all asks about one call into one question: strictest severity, shortest timeout, common decisions. Pure. */
export function planApproval(input: ApprovalPlanInput): ApprovalPlan {
  const { asks, scope, isReview = false, waitsLong = false } = input;
  const severity = strictest(asks);
  const wished = wishedTimes(asks);
  // What only plugins ask, each with a time of its own, waits that long: what they leave open is the host's to say.
  const isTheirs = wished.length === asks.length && asks.every(({ asker }) => asker !== 'host');
  const saidMs = input.timeoutMs ?? (isTheirs ? maxTimeoutMs : defaultApprovalMs);
  const hostMs = waitsLong
    ? unattendedTimeoutMs
    : Math.min(saidMs * (isReview ? reviewFactor : 1), maxTimeoutMs);
  const clockMs = wished.length === 0 ? undefined : Math.min(maxTimeoutMs, ...wished);
  const timeoutMs = Math.min(hostMs, clockMs ?? hostMs);
  const { title, description } = mergeTexts(asks, severity, input.note);
  const offersAlways =
    severity !== 'critical' &&
    scope !== undefined &&
    isFullyShown(input, scope) &&
    fits(title, maxTitle) &&
    fits(description, maxDescription);
  return {
    title: inert(title, maxTitle),
    description: inert(description, maxDescription),
    severity,
    askers: [...new Set(asks.map((ask) => ask.asker))],
    decisions: commonDecisions(asks).filter((decision) => decision !== 'allow-always' || offersAlways),
    grantLabel: scope === undefined ? '' : inert(scope.label, maxGrantLabel),
    timeoutMs,
    isTimeWatched: clockMs === undefined || clockMs > timeoutMs,
    ...(clockMs === undefined ? {} : { clockMs }),
    timeoutAllows: input.timeoutMayAllow && !isReview && asks.every((ask) => ask.timeoutBehavior === 'allow'),
  };
}

const severities: readonly ApprovalSeverity[] = ['info', 'warning', 'critical'];

function strictest(asks: readonly ApprovalAsk[]): ApprovalSeverity {
  return asks.reduce<ApprovalSeverity>(
    (worst, { severity }) => (severities.indexOf(severity) > severities.indexOf(worst) ? severity : worst),
    'info',
  );
}

/** True where "always" is a possible answer to this ask: not critical, and its asker offers it. */
export function offersAlways(ask: ApprovalAsk): boolean {
  return ask.severity !== 'critical' && (ask.allowedDecisions?.includes('allow-always') ?? true);
}

function commonDecisions(asks: readonly ApprovalAsk[]): ApprovalDecision[] {
  const allows = (['allow-once', 'allow-always'] as const).filter((decision) =>
    asks.every((ask) => ask.allowedDecisions?.includes(decision) ?? true),
  );
  return [...allows, 'deny'];
}

function wishedTimes(asks: readonly ApprovalAsk[]): readonly number[] {
  return asks
    .map((ask) => ask.timeoutMs)
    .filter((ms): ms is number => ms !== undefined && Number.isFinite(ms) && ms > 0);
}

/** The host's own words lead, since a plugin's title may say anything; without them the strictest ask leads. */
function mergeTexts(
  asks: readonly [ApprovalAsk, ...ApprovalAsk[]],
  severity: ApprovalSeverity,
  note: string | undefined,
): { readonly title: string; readonly description: string } {
  const lead =
    asks.find((ask) => ask.asker === 'host') ?? asks.find((ask) => ask.severity === severity) ?? asks[0];
  const others = asks.filter((ask) => ask !== lead);
  return {
    title: lead.title,
    description: [
      ...(note === undefined ? [] : [note]),
      asPart(lead, lead.description),
      ...others.map((ask) => asPart(ask, `${ask.asker}: ${asHeading(ask.title)} ${ask.description}`)),
    ].join(' · '),
  };
}

/** What a plugin writes is one part. */
function asPart({ asker }: ApprovalAsk, text: string): string {
  return asker === 'host' ? text : withoutMarks(text);
}

/** `Change it?` and `Run it:`, whichever way an asker writes its title. */
function asHeading(title: string): string {
  return /[.:!?]$/u.test(title) ? title : `${title}:`;
}

/** Nothing hidden and nothing cut: only then does the user know what "always" would mean. */
function isFullyShown(input: ApprovalPlanInput, scope: GrantScope): boolean {
  const json = stableStringify(input.params);
  const texts = [...scope.targets, ...stringsIn(input.params), ...input.asks.flatMap(textsOf)];
  return (
    !texts.some(hasHiddenCharacters) &&
    fits(scope.label, maxGrantLabel) &&
    (input.hasEdits || json.length <= maxShownParams)
  );
}

function textsOf(ask: ApprovalAsk): string[] {
  return [ask.title, ask.description];
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [key, ...stringsIn(each)]);
}

function fits(text: string, max: number): boolean {
  return inert(text, Number.MAX_SAFE_INTEGER).length <= max;
}

/**
 * `](` is broken up because notifications turn `[text](command:…)` into a link; surfaces that render markdown escape it too.
 * It comes last but the cut: taking out a hidden character between the two would put them together.
 */
function inert(text: string, max: number): string {
  return truncate(inertLine(text, Number.MAX_SAFE_INTEGER).replaceAll('](', '] ('), max);
}
