import { isRecord } from '../base/json.ts';
import type { ChangedFile } from '../contracts/agentEvent.ts';

/** The files that a call has changed, by the details of its result; none where it was no edit. Pure. */
export function changedFilesOf(details: unknown): readonly ChangedFile[] {
  if (!isRecord(details)) return [];
  const changes: readonly unknown[] = Array.isArray(details['files']) ? details['files'] : [details];
  return changes.flatMap((change) => {
    if (!isRecord(change)) return [];
    const { file, status } = change;
    return typeof file === 'string' && isStatus(status) ? [{ file, status }] : [];
  });
}

function isStatus(value: unknown): value is ChangedFile['status'] {
  return value === 'created' || value === 'changed' || value === 'deleted';
}
