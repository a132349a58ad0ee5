import { join } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import type { FileSystem, Log } from '../../host/ports.ts';
import type { SessionSummary } from '../summaries/sessionSummary.ts';
import { wordsOf } from './foldText.ts';
import { searchTranscript, type TranscriptHit } from './searchTranscript.ts';

/** A session in which something was found. */
export interface SessionHit {
  readonly summary: SessionSummary;
  /** Text around the first words that were found, one line. */
  readonly snippet: string;
  /** Places that were found. */
  readonly count: number;
}

interface SearchInput {
  readonly fs: FileSystem;
  readonly log: Log;
  /** Absolute; the transcripts lie in it. */
  readonly folder: string;
}

/**
 * Sessions in which all words of the query occur, whatever their case and accents: those first in which they stand together in
 * a message, then those with more places, then the newer ones. @throws PincerError `cancelled`
 */
export async function searchSessions(
  { fs, log, folder }: SearchInput,
  summaries: readonly SessionSummary[],
  query: string,
  signal: AbortSignal,
): Promise<readonly SessionHit[]> {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const hits: { readonly summary: SessionSummary; readonly hit: TranscriptHit }[] = [];
  for (const summary of summaries) {
    try {
      const hit = await searchTranscript(fs, join(folder, `${summary.id}.jsonl`), words, signal);
      if (hit !== undefined) hits.push({ summary, hit });
    } catch (error) {
      if (signal.aborted) throw error;
      // One that can't be read must not hide what the others hold.
      log.write('warn', `The session ${summary.id} could not be searched: ${errorMessage(error)}`);
    }
  }
  return hits
    .sort(
      (a, b) =>
        Number(b.hit.together > 0) - Number(a.hit.together > 0) ||
        b.hit.count - a.hit.count ||
        b.summary.updatedAt - a.summary.updatedAt,
    )
    .map(({ summary, hit: { snippet, count } }) => ({ summary, snippet, count }));
}
