import { stem } from './stem.ts';

/** Cuts texts into the terms that an index knows. */
export interface TermReader {
  /**
   * The terms of a text as they are indexed: lower-case stems. An identifier gives its parts and itself
   * (`before_tool_call`: before, tool, call, before_tool_call), and a run of Chinese, Japanese or Korean its characters
   * and pairs of neighbours, since such text has no spaces to cut at.
   */
  ofText(text: string): string[];
  /** The terms of a query: the same, but of a longer CJK run only the pairs, which say more than its characters. */
  ofQuery(query: string): string[];
}

const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー々〆';
const words = new RegExp(`[${cjk}]+|(?:(?![${cjk}])[\\p{L}\\p{M}\\p{N}_])+`, 'gu');
const startsWithCjk = new RegExp(`^[${cjk}]`, 'u');

/** Words that are remembered with their terms; a text has few different ones. */
const maxRemembered = 50_000;

export function createTermReader(): TermReader {
  const remembered = new Map<string, readonly string[]>();

  const termsOfWord = (word: string): readonly string[] => {
    const known = remembered.get(word);
    if (known !== undefined) return known;
    const terms = wordTerms(word);
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(word, terms);
    return terms;
  };

  const read = (text: string, withCharacters: boolean): string[] => {
    const terms: string[] = [];
    for (const [word] of text.normalize('NFKC').matchAll(words)) {
      terms.push(...(startsWithCjk.test(word) ? cjkTerms(word, withCharacters) : termsOfWord(word)));
    }
    return terms;
  };

  return { ofText: (text) => read(text, true), ofQuery: (query) => read(query, false) };
}

function cjkTerms(run: string, withCharacters: boolean): string[] {
  const characters = Array.from(run);
  const pairs = characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
  return withCharacters || pairs.length === 0 ? [...characters, ...pairs] : pairs;
}

function wordTerms(word: string): string[] {
  const parts = word
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .split('_')
    .filter((part) => part !== '');
  const stems = parts.map((part) => stem(part.toLowerCase()));
  const whole = word.toLowerCase().replace(/^_+|_+$/gu, '');
  return parts.length > 1 ? [...stems, whole] : stems;
}
