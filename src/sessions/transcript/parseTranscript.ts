import type { SessionEntry, SessionHeader } from '../../contracts/sessionEntry.ts';
import { readTranscriptLine } from './readTranscriptLine.ts';

/** A transcript as it was read. */
export interface ParsedTranscript {
  /** As of the current version; undefined where no line is one. */
  readonly header: SessionHeader | undefined;
  /** Of the last header: what follows it is of this version. 0 without a header. */
  readonly version: number;
  readonly entries: readonly SessionEntry[];
  /** The last line has no end: a crash cut it off. */
  readonly isTorn: boolean;
  /** True where that line could not be read: something is lost. */
  readonly lostTail: boolean;
  /** Lines that are no entry and that no crash explains. */
  readonly damaged: number;
}

/**
 * Reads a transcript of any version. A line that can't be read costs that line alone. A line whose id was there before is left
 * out: a write that failed is done again, and a part of it may have reached the disk. Pure.
 */
export function parseTranscript(text: string): ParsedTranscript {
  const lines = text.split('\n');
  const tail = lines.at(-1) ?? '';
  const entries: SessionEntry[] = [];
  const seen = new Set<string>();
  let header: SessionHeader | undefined;
  let version = 0;
  let damaged = 0;
  for (const line of lines) {
    const read = readTranscriptLine(line, version);
    if (read.kind === 'damaged') damaged += 1;
    if (read.kind === 'header' && (header === undefined || header.id === read.header.id))
      ({ header, version } = read);
    if (read.kind !== 'entry' || seen.has(read.entry.id)) continue;
    seen.add(read.entry.id);
    entries.push(read.entry);
  }
  const lostTail = readTranscriptLine(tail, version).kind === 'damaged';
  return {
    header,
    version,
    entries,
    isTorn: tail !== '',
    lostTail,
    damaged: damaged - (lostTail ? 1 : 0),
  };
}
