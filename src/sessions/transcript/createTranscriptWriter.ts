import type { FileSystem } from '../../host/ports.ts';
import { cutMark } from './readTranscriptLine.ts';

/** Appends lines to one transcript. */
export interface TranscriptWriter {
  /** Resolves once the line is safely on disk. Lines keep their order. @throws PincerError `io_*` */
  write(line: string): Promise<void>;
  /** The line goes with the next one that is written. */
  hold(line: string): void;
  /** Resolves when nothing is being written; never rejects. */
  settled(): Promise<void>;
  /** How many bytes it has added to the file, without what a failed write may have left there. */
  bytes(): number;
}

interface TranscriptWriterInput {
  readonly fs: Pick<FileSystem, 'appendDurably'>;
  /** Absolute. */
  readonly file: string;
  /** A line that has to come before the first one that is written, such as the header of a new file; asked for then. */
  readonly head?: () => string;
  /** True where the file does not exist yet. */
  readonly isNew: boolean;
}

/**
 * What is written while the disk is busy goes to it together, in one call: waiting for the disk costs a turn the same for ten
 * lines as for one. What could not be written stays in line and goes with the next write, after a mark that closes what may
 * have reached the disk of it.
 */
export function createTranscriptWriter({ fs, file, head, isNew }: TranscriptWriterInput): TranscriptWriter {
  let waiting: string[] = [];
  let isHeadDue = head !== undefined;
  // A line end comes first, too: whatever another process has left behind, this is a line of its own.
  let before = isNew ? '' : '\n';
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  let bytes = 0;

  const flush = async (): Promise<void> => {
    next = undefined;
    const batch = waiting;
    waiting = [];
    const text = `${before}${batch.join('\n')}\n`;
    try {
      await fs.appendDurably(file, text);
      bytes += Buffer.byteLength(text);
      before = '\n';
    } catch (error) {
      waiting = [...batch, ...waiting];
      before = `${cutMark}\n`;
      throw error;
    }
  };

  const hold = (line: string): void => {
    if (isHeadDue && head !== undefined) waiting.push(head());
    isHeadDue = false;
    waiting.push(line);
  };

  return {
    hold,
    write(line) {
      hold(line);
      if (next === undefined) {
        next = last.then(flush);
        // Those who wait for a line hear of the failure; this chain only keeps the order.
        last = next.catch(() => undefined);
      }
      return next;
    },
    settled: () => last,
    bytes: () => bytes,
  };
}
