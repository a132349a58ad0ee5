import { throwIfAborted } from '../../base/abort.ts';
import type { FileSystem } from '../../host/ports.ts';
import { readTranscriptLine } from '../transcript/readTranscriptLine.ts';
import { readLines } from '../transcript/readLines.ts';
import { countWords, saidIn, snippetAround } from './findWords.ts';
import { foldText } from './foldText.ts';

/** What was found in one transcript. */
export interface TranscriptHit {
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
export async function searchTranscript(
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
