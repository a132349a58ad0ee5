// Threat: the user's own work since the turn. A file that is not exactly what the agent left there is theirs, and it is only
// overwritten when they say so about this very file.
import type { RestoreItem, RestoreObstacle } from './checkpoints.ts';
import type { RecordedTurn } from './journalLines.ts';
import { followFiles } from './summarizeTurn.ts';

/** What a file holds now, or why it may not be touched. */
export type CurrentFile = { readonly hash: string | null } | { readonly refused: string };

/**
 * What brings the files of `turns` (oldest first, from the chosen ones on) back to where they were before the first.
 * `now` knows every path of them. Pure.
 */
export function planRestore(
  turns: readonly RecordedTurn[],
  now: ReadonlyMap<string, CurrentFile>,
  unsaved: ReadonlySet<string>,
): readonly RestoreItem[] {
  const stories = followFiles(turns.flatMap((turn) => turn.changes));
  const items = stories.flatMap(({ path, label, before, after, mode }): readonly RestoreItem[] => {
    const file = now.get(path) ?? { refused: 'it was not looked at' };
    const current = 'hash' in file ? file.hash : null;
    const isUnsaved = unsaved.has(path);
    if ('hash' in file && current === before && !isUnsaved) return [];
    const obstacle = obstacleOf(file, after, isUnsaved);
    return [
      {
        path,
        label,
        action: before === null ? 'delete' : 'restore',
        target: before,
        current,
        ...(mode === undefined ? {} : { mode }),
        ...(obstacle === undefined ? {} : { obstacle }),
      },
    ];
  });
  return [...items].sort((a, b) => (a.label < b.label ? -1 : 1));
}

function obstacleOf(file: CurrentFile, left: string | null, isUnsaved: boolean): RestoreObstacle | undefined {
  if ('refused' in file) return { kind: 'refused', reason: file.refused };
  if (isUnsaved) return { kind: 'unsaved' };
  return file.hash === left ? undefined : { kind: 'changed' };
}
