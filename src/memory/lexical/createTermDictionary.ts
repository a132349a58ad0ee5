import type { TermDictionary } from './lexicalIndex.ts';
import { termsOfToken } from '../terms/readTerms.ts';

/** Tokens that are remembered with their terms; a text has few different ones. */
const maxRemembered = 50_000;
const maxRememberedLength = 40;

/** @param initial Terms in the order of their numbers. */
export function createTermDictionary(initial: readonly string[] = []): TermDictionary {
  const terms = [...initial];
  const ids = new Map(terms.map((term, id) => [term, id]));
  const remembered = new Map<string, { readonly ids: readonly number[]; readonly words: number }>();

  const add = (term: string): number => {
    const known = ids.get(term);
    if (known !== undefined) return known;
    const own = copyOf(term);
    const id = terms.push(own) - 1;
    ids.set(own, id);
    return id;
  };

  return {
    add,
    find: (term) => ids.get(term),
    term: (id) => terms[id],
    get size() {
      return terms.length;
    },
    read(token) {
      const known = remembered.get(token);
      if (known !== undefined) return known;
      const found = termsOfToken(token);
      const read = { ids: [...found.parts, ...found.forms].map(add), words: found.words };
      if (token.length <= maxRememberedLength) {
        if (remembered.size >= maxRemembered) remembered.clear();
        remembered.set(copyOf(token), read);
      }
      return read;
    },
  };
}

/** A part of a string may keep the whole of it in memory: here that would be the text of each file. */
function copyOf(text: string): string {
  return text.split('').join('');
}
