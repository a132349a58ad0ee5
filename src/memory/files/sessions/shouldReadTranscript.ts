import type { StoredFile } from '../../store/rows.ts';
import type { FoundFile } from '../findMemoryFiles.ts';

/** Bytes by which a running session must have grown. */
const enoughBytes = 100_000;
/** Milliseconds without a new line after which a session counts as quiet. */
const quietMs = 5_000;

/**
 * Whether a transcript is worth reading again: each answer appends to it, and reading it anew each time would be busy for nothing.
 * A quiet one is read when it changed, a running one when it grew by 100,000 bytes. (Upstream also reads it after 50 messages,
 * which it counts by reading; here that waits for the pause.) Pure; `now` in milliseconds since the epoch.
 */
export function shouldReadTranscript(
  known: Pick<StoredFile, 'bytes' | 'modified' | 'hash'> | undefined,
  found: Pick<FoundFile, 'bytes' | 'modified'>,
  now: number,
): boolean {
  if (known === undefined || known.hash === '' || found.bytes < known.bytes) return true;
  if (found.bytes === known.bytes && found.modified === known.modified) return false;
  return found.bytes - known.bytes >= enoughBytes || now - found.modified >= quietMs;
}
