import type { CheckpointTurn, FileStatus, TurnFile } from './checkpoints.ts';
import { heldBefore, type RecordedChange, type RecordedTurn } from './journalLines.ts';

/** What became of one file over several changes. */
interface FileStory {
  readonly path: string;
  readonly label: string;
  /** What it held before the first of them, as the user had it; null where there was none. */
  readonly before: string | null;
  /** What the last of them left. */
  readonly after: string | null;
  /** Its permission bits before. */
  readonly mode: number | undefined;
}

/** Follows each file from the first change that touched it to the last. What failed has changed nothing. Pure. */
export function followFiles(changes: readonly RecordedChange[]): readonly FileStory[] {
  const stories = new Map<string, FileStory>();
  for (const { begin, end } of changes) {
    if (end?.state === 'failed') continue;
    for (const [index, file] of begin.files.entries()) {
      const { path, label } = file;
      const { before, mode } = stories.get(path) ?? { before: heldBefore(file), mode: file.mode };
      const after = end?.written[index] === undefined ? file.after : end.written[index];
      stories.set(path, { path, label, before, after, mode });
    }
  }
  return [...stories.values()];
}

/** A turn as people see it. Pure. */
export function summarizeTurn({ header, changes }: RecordedTurn): CheckpointTurn {
  const { id, kind, sessionId, startedAt } = header;
  const files = followFiles(changes)
    .map(({ path, label, before, after }) => ({ path, label, status: statusOf(before, after) }))
    .filter((file): file is TurnFile => file.status !== undefined);
  return { id, kind, sessionId, startedAt, files: files.sort((a, b) => (a.label < b.label ? -1 : 1)) };
}

/** What a change from one content to another is called; undefined where nothing changed. Pure. */
export function statusOf(before: string | null, after: string | null): FileStatus | undefined {
  if (before === after) return undefined;
  if (before === null) return 'created';
  return after === null ? 'deleted' : 'changed';
}
