import { inertLine } from '../base/text.ts';
import type { FieldChange } from '../hooks/hookTrace.ts';

/** Parts of the sentences that tell a trace. */

const maxShort = 60;

/** `changed a: 1 → 2`, or the names where there are more, and each change as a detail. */
export function describeChanges(changes: readonly FieldChange[]): {
  readonly text: string;
  readonly details: readonly string[];
} {
  const [first, ...rest] = changes;
  if (first === undefined) return { text: 'changed nothing', details: [] };
  const details = changes.map((change) => describeChange(change, Infinity));
  if (rest.length === 0) {
    const short = describeChange(first, maxShort);
    return { text: `changed ${short}`, details: short === details[0] ? [] : details };
  }
  return { text: `changed ${list(changes.map((each) => each.path))}`, details };
}

function describeChange({ path, before, after }: FieldChange, max: number): string {
  const cut = (text: string): string => inertLine(text, max);
  if (before === undefined && after === undefined) return path;
  if (before === undefined) return `${path}: added ${cut(after ?? '')}`;
  return after === undefined ? `${path}: removed ${cut(before)}` : `${path}: ${cut(before)} → ${cut(after)}`;
}

/** `: why`, or nothing. */
export function because(reason: string | undefined): string {
  return reason === undefined || reason === '' ? '' : `: ${reason}`;
}

/** Some names; the rest as a number. */
export function list(names: readonly string[]): string {
  return names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}

/** `0.3 ms`, `12 ms`, `1.2 s`. */
export function duration(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms >= 10 ? ms.toFixed(0) : ms.toFixed(1)} ms`;
}
