import type { SessionEntry } from '../contracts/sessionEntry.ts';
import { turnUnknown } from './sessionErrors.ts';

/** Where a copy of a session ends: before a turn, or with an entry; default its end. */
export type ForkPoint = { readonly beforeRunId: string } | { readonly throughEntryId: string };

/**
 * The lines that a fork begins with. A fork that ends before a compaction knows the conversation as it was: that undoes it. A
 * turn that is still open there counts as cancelled, so that nobody takes it for one to resume. Pure.
 * @throws PincerError `session_turn_unknown`
 */
export function forkEntries(entries: readonly SessionEntry[], at?: ForkPoint): readonly SessionEntry[] {
  const copied = at === undefined ? entries : entries.slice(0, endOf(entries, at));
  const last = copied.findLast((entry) => entry.type === 'turn');
  if (last?.state !== 'started') return copied;
  const { runId } = last;
  const parentId = copied.at(-1)?.id ?? null;
  return [...copied, { type: 'turn', id: crypto.randomUUID(), parentId, runId, state: 'cancelled' }];
}

function endOf(entries: readonly SessionEntry[], at: ForkPoint): number {
  const found =
    'beforeRunId' in at
      ? entries.findIndex((entry) => entry.type === 'turn' && entry.runId === at.beforeRunId)
      : entries.findIndex((entry) => entry.id === at.throughEntryId);
  if (found === -1) throw turnUnknown();
  return 'beforeRunId' in at ? found : found + 1;
}
