import { createLexicalIndex } from '../../lexical/createLexicalIndex.ts';
import { createTermDictionary } from '../../lexical/lexicalTerms.ts';
import type { MemoryStore } from '../../store/openStore.ts';
import { createLiveIndex, type LiveIndex } from './createLiveIndex.ts';

/** Builds from an opened store what is searched. */
export function loadIndex(store: MemoryStore): LiveIndex {
  const dictionary = createTermDictionary(store.terms());
  const lexical = createLexicalIndex(dictionary);
  store.eachTerms(({ passage, terms }) => lexical.add(passage, terms));
  return createLiveIndex({ store, lexical, dictionary });
}
