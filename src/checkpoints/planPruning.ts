import type { CheckpointLimits } from './checkpoints.ts';
import { contentsOf, type RecordedTurn } from './journalLines.ts';

/**
 * The turns that are too many: the newest that fit the limits stay, and so do those of `running` and those with a change that has
 * not ended: it may have to be taken back. `turns` are oldest first; contents that several turns share count once. Pure.
 */
export function planPruning(
  turns: readonly RecordedTurn[],
  limits: CheckpointLimits,
  running: ReadonlySet<string>,
): readonly RecordedTurn[] {
  const kept = new Set<string>();
  let bytes = 0;
  let count = 0;
  let isFull = false;
  const dropped: RecordedTurn[] = [];
  for (const turn of turns.toReversed()) {
    const fresh = new Map(contentsOf(turn).map((each) => [each.hash, each.bytes]));
    const added = [...fresh].reduce((sum, [hash, size]) => (kept.has(hash) ? sum : sum + size), 0);
    isFull ||= count >= limits.maxTurns || bytes + added > limits.maxMegabytes * 1_000_000;
    const isOpen = turn.changes.some((change) => change.end === undefined);
    if (isFull && !isOpen && !running.has(turn.header.id)) {
      dropped.push(turn);
      continue;
    }
    count += 1;
    bytes += added;
    for (const hash of fresh.keys()) kept.add(hash);
  }
  return dropped;
}
