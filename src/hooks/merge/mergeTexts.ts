import { readText } from '../../base/untrusted.ts';
import type { MergeRule, RawResult } from '../hookTypes.ts';

type Texts<Outcome> = Readonly<Record<keyof Outcome & string, 'first' | 'join'>>;

/**
 * A rule for results that are optional texts: `first` keeps the first handler's, `join` puts an empty line between all of
 * them. An empty text counts as absent.
 */
export function mergeTexts<Event extends object, Outcome extends { readonly [K in keyof Outcome]?: string }>(
  fields: Texts<Outcome>,
): MergeRule<Event, Outcome> {
  return {
    initial: () => ({}) as Outcome,
    fold: (outcome, result) => ({ ...outcome, ...mergedTexts<Outcome>(fields, outcome, result) }),
    view: (event, outcome) => ({ ...event, ...outcome }),
  };
}

function mergedTexts<Outcome extends object>(
  fields: Texts<Outcome>,
  outcome: Outcome,
  result: RawResult,
): Partial<Outcome> {
  const merged: Record<string, string> = {};
  const before = outcome as Readonly<Record<string, string | undefined>>;
  for (const [field, mode] of Object.entries(fields)) {
    const added = readText(result, field) ?? '';
    if (added === '') continue;
    const present = before[field];
    if (present === undefined) merged[field] = added;
    else if (mode === 'join') merged[field] = `${present}\n\n${added}`;
  }
  return merged as Partial<Outcome>;
}
