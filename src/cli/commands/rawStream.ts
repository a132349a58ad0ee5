import { appendFile } from 'node:fs/promises';
import { errorMessage } from '../../base/errors.ts';
import type { Problem } from '../output.ts';

/** Writes what a provider sends to a file, as it is. */
interface RawStream {
  /** Never throws: a full disk must not end the turn. */
  readonly write: (chunk: string) => void;
  /** Waits for the disk; gives what went wrong. */
  close(): Promise<Problem | undefined>;
}

/** @param file absolute; what is there already stays in front. Only its owner may read it: the stream holds the conversation. */
export function openRawStream(file: string): RawStream {
  let problem: Problem | undefined;
  let written: Promise<void> = Promise.resolve();
  return {
    write(chunk) {
      written = written
        .then(() => appendFile(file, chunk, { mode: 0o600 }))
        .catch((error: unknown) => {
          problem ??= {
            code: 'raw_stream_failed',
            message: `The raw stream could not be written to ${file}: ${errorMessage(error)}`,
          };
        });
    },
    async close() {
      await written;
      return problem;
    },
  };
}
