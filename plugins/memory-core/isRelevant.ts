import type { MemorySearchResult } from 'openclaw/plugin-sdk';

/** How much of what a message is about has to occur in a passage. */
const minCoverage = 0.34;
/** What embedding models give to texts about the same thing, cautiously. */
const minCosine = 0.5;

/** Words that say nothing about the matter: the commonest ones, and what people ask of an agent. */
const empty = new Set(
  `a about add after all also am an and any are as at be because been before but by can change check could create did do does
   doing done each explain file files find fix for from get give had has have he help her here him his how i if in into is it
   its just let like list look make me more most my need new no not now of on one only or other our out over please read run
   see she should show so some tell than thank thanks that the their them then there these they this those to too under up
   update us use using very want was we were what when where which who why will with would write you your`.split(
    /\s+/u,
  ),
);

/** What a message is about: its words in lower case, without the empty ones. */
export function wordsOf(message: string): readonly string[] {
  const words = message.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  return [...new Set(words)].filter((word) => !empty.has(word));
}

/**
 * Whether a passage is about the same. Scores can't say: in a workspace of one note every score is small, and in a large one a
 * single rare word gives a high one. So it counts how many of the message's words the passage has.
 */
export function isRelevant(
  { text, vector, exact }: MemorySearchResult['why'],
  words: readonly string[],
): boolean {
  if (exact !== undefined || (vector !== undefined && vector.cosine >= minCosine)) return true;
  const terms = (text?.terms ?? []).map(({ term }) => term);
  const found = words.filter((word) => terms.some((term) => isPartOf(term, word)));
  return found.length >= Math.max(1, Math.ceil(words.length * minCoverage));
}

/** Whether the index found this term by this word: it is its stem, most of it, or two characters of CJK. */
function isPartOf(term: string, word: string): boolean {
  if (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(term))
    return word.includes(term);
  let same = 0;
  while (same < term.length && term[same] === word[same]) same += 1;
  return same >= Math.min(word.length, Math.max(3, Math.ceil(word.length / 2))) || same === word.length;
}
