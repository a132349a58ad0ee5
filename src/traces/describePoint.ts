import type { PointFacts } from '../dexto/pointFacts.ts';
import type { Said } from './describeTrace.ts';
import { because, describeChanges } from './phrases.ts';
import { hasStopped } from './pointLine.ts';

/** What a Dexto plugin did at an extension point, in the words that its neighbours of the other dialect are told in. Pure. */
export function describePoint(step: PointFacts): Said {
  const { changes = [], notices = [] } = step;
  const said = describeOutcome(step);
  const changed = describeChanges(changes);
  // Beside what it said: a plugin may change something and want to stop it all the same.
  const more = step.outcome === 'changed' || changes.length === 0 ? [] : [changed.text, ...changed.details];
  return { ...said, details: [...(said.details ?? []), ...more, ...notices.map(describeNotice)] };
}

function describeOutcome(step: PointFacts): Said {
  const { pluginId, point, message, error, changes = [] } = step;
  const who = `${pluginId} · ${point}`;
  const stops = hasStopped(step) ? '; this blocks' : '';
  switch (step.outcome) {
    case 'nothing':
      return { icon: 'quiet', text: `${who}: no change` };
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

function describeNotice({ kind, code, message }: NonNullable<PointFacts['notices']>[number]): string {
  return [kind, code, message].filter((part) => part !== undefined && part !== '').join(': ');
}
