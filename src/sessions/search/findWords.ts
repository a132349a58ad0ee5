import { inertLine } from '../../base/text.ts';
import type { SessionEntry } from '../../contracts/sessionEntry.ts';
import { foldText, unfoldIndex } from './foldText.ts';

/** What of a line a search looks at: what was said, names and summaries; not what tools returned or what was attached. Pure. */
export function saidIn(entry: SessionEntry): string {
  if (entry.type === 'name') return entry.name;
  if (entry.type === 'compaction') return entry.summary;
  if (entry.type !== 'message' || entry.message.role === 'toolResult') return '';
  return entry.message.content
    .flatMap((part) => (part.type === 'text' && !('isContext' in part && part.isContext) ? [part.text] : []))
    .join('\n');
}

/** The places of each word in a folded text, in the order of `words`. Pure. */
export function countWords(folded: string, words: readonly string[]): readonly number[] {
  return words.map((word) => {
    let count = 0;
    for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + word.length)) count += 1;
    return count;
  });
}

const beforeHit = 60;
const maxSnippet = 200;

/** Text around the first word that occurs, on one line. Pure. */
export function snippetAround(text: string, words: readonly string[]): string {
  const folded = foldText(text);
  const places = words.map((word) => folded.indexOf(word)).filter((at) => at !== -1);
  const hit = unfoldIndex(text, Math.min(...places));
  const start = Math.max(0, hit - beforeHit);
  const word = start === 0 ? 0 : text.slice(start, hit).search(/\s\S/u) + 1;
  const shown = inertLine(text.slice(start + word, hit + 2 * maxSnippet), maxSnippet);
  return start + word === 0 ? shown : `…${shown}`;
}
