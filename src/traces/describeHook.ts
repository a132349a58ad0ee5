import type { HookDecision } from '../hooks/hookTrace.ts';
import type { Said } from './describeTrace.ts';
import { because, describeChanges } from './phrases.ts';
import type { HookFacts } from './runTrace.ts';

/** What one handler did, in a sentence. */
export function describeHook(line: HookFacts): Said {
  const said = describeOutcome(line);
  return line.note === undefined ? said : { ...said, details: [...(said.details ?? []), line.note] };
}

function describeOutcome(line: HookFacts): Said {
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

function describeDecision(who: string, { pluginId, hook, decision }: HookFacts): Said {
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
