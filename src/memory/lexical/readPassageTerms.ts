import { tokensOf } from '../terms/readTerms.ts';
import { fileKeysOf } from './fileKeys.ts';
import type { PassageFields, PassageTerms, TermDictionary } from './lexicalIndex.ts';
import { packTerms } from './packTerms.ts';

/**
 * Changes with what `readMarkdown` and `readPassageTerms` give for the same text: an index that was made by another version has
 * to be built anew.
 */
export const termsVersion = 1;

/** How much more a word says where it stands in a name or heading. */
const fieldWeights = { title: 4, keywords: 4, headings: 3, body: 1 };

/** The terms of a passage, weighted by the field they stand in. New ones are added to the dictionary. */
export function readPassageTerms(fields: PassageFields, dictionary: TermDictionary): PassageTerms {
  const counts = new Map<number, number>();
  const count = (text: string, weight: number): number => {
    let words = 0;
    for (const token of tokensOf(text)) {
      const read = dictionary.read(token);
      for (const id of read.ids) counts.set(id, (counts.get(id) ?? 0) + weight);
      words += read.words;
    }
    return words;
  };
  for (const key of fileKeysOf(fields.title)) counts.set(dictionary.add(key), 1);
  for (const name of fields.title.replace(/\.[a-z]+$/i, '').split(/[\\/]/)) count(name, fieldWeights.title);
  count(fields.keywords, fieldWeights.keywords);
  for (const heading of fields.headings) count(heading, fieldWeights.headings);
  const length = count(fields.body, fieldWeights.body);
  return { packed: packTerms(counts), length };
}
