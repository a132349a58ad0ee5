import type { CompactionEntry, SessionEntry } from '../contracts/sessionEntry.ts';

/** From where on the conversation stays as it was, and the summary of what comes before. */
export interface Kept {
  readonly summary: CompactionEntry;
  /** Index of the first entry that stays. */
  readonly from: number;
}

/** What the compactions of a conversation left; undefined where there was none. Pure. */
export function keptFrom(entries: readonly SessionEntry[]): Kept | undefined {
  return entries.reduce<Kept | undefined>(
    (kept, entry, index) => (entry.type === 'compaction' ? keptAfter(kept, entries, entry, index) : kept),
    undefined,
  );
}

/**
 * What one more compaction, at `index`, leaves of a conversation of which `before` was left. What one has put away no later one
 * brings back. Pure.
 */
export function keptAfter(
  before: Kept | undefined,
  entries: readonly SessionEntry[],
  summary: CompactionEntry,
  index: number,
): Kept {
  const start = before?.from ?? 0;
  if (summary.firstKeptId === null) return { summary, from: index + 1 };
  for (let at = index - 1; at >= start; at -= 1) {
    if (entries[at]?.id === summary.firstKeptId) return { summary, from: at };
  }
  return { summary, from: entries.some(({ id }) => id === summary.firstKeptId) ? start : index + 1 };
}
