import type { HookDecision } from '../hooks/hookTypes.ts';
import { hasStopped } from './buildTrace.ts';
import { because, describeChanges } from './phrases.ts';
import type { HookFacts, PointFacts } from './runTrace.ts';

/** What a line is about, for an icon. `quiet`: a plugin was asked and said nothing. */
export type TimelineIcon =
  | 'message'
  | 'quiet'
  | 'change'
  | 'decision'
  | 'block'
  | 'ask'
  | 'model'
  | 'tool'
  | 'policy'
  | 'error'
  | 'end';

/** What is said of one line before its time is added. */
export interface TimelineText {
  readonly icon: TimelineIcon;
  readonly text: string;
  readonly details?: readonly string[];
}

/** What one handler did, in a sentence. */
export function describeHook(line: HookFacts): TimelineText {
  const said = describeOutcome(line);
  return line.note === undefined ? said : { ...said, details: [...(said.details ?? []), line.note] };
}

function describeOutcome(line: HookFacts): TimelineText {
  const { pluginId, hook, outcome, error, decision, changes = [] } = line;
  const who = `${pluginId} · ${hook}`;
  const changed = describeChanges(changes);
  switch (outcome) {
    case 'nothing':
      return { icon: 'quiet', text: `${who}: no change` };
    case 'changed':
      return { icon: 'change', text: `${who} ${changed.text}`, details: changed.details };
    case 'decided':
      return {
        ...describeDecision(who, line),
        details: changes.length === 0 ? [] : [changed.text, ...changed.details],
      };
    case 'cancelled':
      return { icon: 'quiet', text: `${who} was cut off` };
    case 'timed-out':
      return { icon: 'error', text: `${who} timed out${closed(decision)}` };
    case 'invalid':
      return { icon: 'error', text: `${who} returned what it may not${because(error)}${closed(decision)}` };
    case 'failed':
      return { icon: 'error', text: `${who} failed${because(error)}${closed(decision)}` };
  }
}

/** Some hooks stop the operation where a handler fails. */
function closed(decision: HookDecision | undefined): string {
  return decision?.kind === 'blocked' ? '; this blocks' : '';
}

function describeDecision(who: string, { pluginId, hook, decision }: HookFacts): TimelineText {
  const why = because(decision?.reason);
  switch (decision?.kind) {
    case 'blocked':
      return { icon: 'block', text: `blocked by ${pluginId} · ${hook}${why}` };
    case 'asked':
      return { icon: 'ask', text: `${who} asked for approval${why}` };
    case 'cancelled':
      return { icon: 'block', text: `${who} withheld it${why}` };
    case 'claimed':
      return { icon: 'decision', text: `${who} took it over${why}` };
    case 'revised':
      return { icon: 'decision', text: `${who} asked for another pass${why}` };
    case 'accepted':
      return { icon: 'decision', text: `${who} accepted the answer${why}` };
    case 'passed':
    case undefined:
      return { icon: 'quiet', text: `${who} let it pass` };
  }
}

/** The same where a registration told of it, in the words that its neighbours are told in. Pure. */
export function describePoint(step: PointFacts): TimelineText {
  const { outcome, changes = [], refused = [], notices = [] } = step;
  const said = describeTold(step);
  const changed = describeChanges(changes);
  // Beside what it said: a plugin may change something and want to stop it all the same.
  const more = outcome === 'changed' || changes.length === 0 ? [] : [changed.text, ...changed.details];
  const ignored = outcome === 'nothing' || refused.length === 0 ? [] : [describeRefused(refused)];
  return { ...said, details: [...(said.details ?? []), ...more, ...ignored, ...notices.map(describeNotice)] };
}

function describeTold(step: PointFacts): TimelineText {
  const { pluginId, point, message, error, changes = [], refused = [] } = step;
  const who = `${pluginId} · ${point}`;
  const stops = hasStopped(step) ? '; this blocks' : '';
  switch (step.outcome) {
    case 'nothing':
      return refused.length === 0
        ? { icon: 'quiet', text: `${who}: no change` }
        : { icon: 'policy', text: `${who}: ${describeRefused(refused)}` };
    case 'changed': {
      const { text, details } = describeChanges(changes);
      return { icon: 'change', text: `${who} ${text}`, details };
    }
    case 'blocked':
      return { icon: 'block', text: `blocked by ${who}${because(message)}` };
    case 'ignored':
      return { icon: 'quiet', text: `${who} wanted to block, which it may not${because(message)}` };
    case 'declined':
      return { icon: 'quiet', text: `${who} said it is not ok, which stops nothing${because(message)}` };
    case 'failed':
      return { icon: 'error', text: `${who} failed${because(error)}${stops}` };
    case 'timed-out':
      return { icon: 'error', text: `${who} timed out${stops}` };
    case 'cancelled':
      return { icon: 'quiet', text: `${who} was cut off` };
  }
}

/** Fields that it wanted to change, and can't. */
function describeRefused(fields: readonly string[]): string {
  return `refused ${fields.map((field) => `modify.${field}`).join(', ')}`;
}

function describeNotice({ kind, code, message }: NonNullable<PointFacts['notices']>[number]): string {
  return [kind, code, message].filter((part) => part !== undefined && part !== '').join(': ');
}
