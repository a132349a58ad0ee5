import { join } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import type { FileSystem, Log } from '../../host/ports.ts';
import type { SessionSummary } from '../summaries/sessionSummary.ts';
import { throwIfAborted } from '../../base/abort.ts';
import { readTranscriptLine } from '../transcript/readTranscriptLine.ts';
import { readLines } from '../transcript/readLines.ts';
import { inertLine } from '../../base/text.ts';
import type { SessionEntry } from '../../contracts/sessionEntry.ts';

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

/** What was found in one transcript. */
interface TranscriptHit {
  readonly snippet: string;
  /** Places that were found. */
  readonly count: number;
  /** Messages in which all words occur together. */
  readonly together: number;
}

/**
 * Looks for sessions in which all words occur, wherever. Reads the file batch by batch, so that other work goes on; only lines
 * that hold a word are parsed. `words` are folded. Undefined where a word is missing. @throws PincerError `cancelled`, `io_*`
 */
async function searchTranscript(
  fs: Pick<FileSystem, 'readRange'>,
  file: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<TranscriptHit | undefined> {
  const counts = words.map(() => 0);
  let best: { readonly text: string; readonly kinds: number } | undefined;
  let together = 0;
  let version = 0;
  for await (const { lines } of readLines(fs, file, { withTail: true })) {
    throwIfAborted(signal);
    for (const line of lines) {
      const isHeader = line.startsWith('{"type":"session"');
      if (!isHeader && !mayHold(line, words)) continue;
      const read = readTranscriptLine(line, version);
      if (read.kind === 'header') ({ version } = read);
      if (read.kind !== 'entry') continue;
      const text = saidIn(read.entry);
      const found = countWords(foldText(text), words);
      const kinds = found.filter((count) => count > 0).length;
      if (kinds === words.length) together += 1;
      if (kinds > (best?.kinds ?? 0)) best = { text, kinds };
      for (const [index, count] of found.entries()) counts[index] = (counts[index] ?? 0) + count;
    }
  }
  if (best === undefined || counts.includes(0)) return undefined;
  return {
    snippet: snippetAround(best.text, words),
    count: counts.reduce((sum, count) => sum + count, 0),
    together,
  };
}

/** What JSON writes as an escape can't be seen in the line; such words are looked for in every line. */
function mayHold(line: string, words: readonly string[]): boolean {
  const folded = foldText(line);
  return words.some((word) => /["\\\p{Cc}]/u.test(word) || folded.includes(word));
}

/** What of a line a search looks at: what was said, names and summaries; not what tools returned or what was attached. Pure. */
function saidIn(entry: SessionEntry): string {
  if (entry.type === 'name') return entry.name;
  if (entry.type === 'compaction') return entry.summary;
  if (entry.type !== 'message' || entry.message.role === 'toolResult') return '';
  return entry.message.content
    .flatMap((part) => (part.type === 'text' && !('isContext' in part && part.isContext) ? [part.text] : []))
    .join('\n');
}

/** The places of each word in a folded text, in the order of `words`. Pure. */
function countWords(folded: string, words: readonly string[]): readonly number[] {
  return words.map((word) => {
    let count = 0;
    for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + word.length)) count += 1;
    return count;
  });
}

const beforeHit = 60;
const maxSnippet = 200;

/** Text around the first word that occurs, on one line. Pure. */
function snippetAround(text: string, words: readonly string[]): string {
  const folded = foldText(text);
  const places = words.map((word) => folded.indexOf(word)).filter((at) => at !== -1);
  const hit = unfoldIndex(text, Math.min(...places));
  const start = Math.max(0, hit - beforeHit);
  const word = start === 0 ? 0 : text.slice(start, hit).search(/\s\S/u) + 1;
  const shown = inertLine(text.slice(start + word, hit + 2 * maxSnippet), maxSnippet);
  return start + word === 0 ? shown : `…${shown}`;
}

const marks = /\p{M}+/gu;
const beyondAscii = /[^\0-\x7f]/u;

/** The text as a search compares it: without case, accents and other marks. Pure. */
export function foldText(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replace(marks, '').toLowerCase();
}

/** The place in `text` of a place in its folded form. Pure. */
export function unfoldIndex(text: string, folded: number): number {
  if (!beyondAscii.test(text)) return folded;
  let seen = 0;
  let at = 0;
  for (const letter of text) {
    if (seen >= folded) break;
    seen += foldText(letter).length;
    at += letter.length;
  }
  return at;
}

/** The different words of a query, folded. Pure. */
function wordsOf(query: string): readonly string[] {
  return [
    ...new Set(
      foldText(query)
        .split(/\s+/u)
        .filter((word) => word !== ''),
    ),
  ];
}
