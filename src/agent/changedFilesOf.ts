import { isRecord } from '../base/json.ts';
import type { ChangedFile } from '../contracts/agentEvent.ts';

/** The files that a call has changed, by the details of its result; none where it was no edit. Pure. */
export function changedFilesOf(details: unknown): readonly ChangedFile[] {
  if (!isRecord(details)) return [];
  const changes: readonly unknown[] = Array.isArray(details['files']) ? details['files'] : [details];
  return changes.flatMap((change) => {
    if (!isRecord(change)) return [];
    const { file, status, added, removed } = change;
    if (typeof file !== 'string' || !isStatus(status)) return [];
    const lines = typeof added === 'number' && typeof removed === 'number' ? { added, removed } : {};
    return [{ file, status, ...lines }];
  });
}

function isStatus(value: unknown): value is ChangedFile['status'] {
  return value === 'created' || value === 'changed' || value === 'deleted';
}
