import { lazily } from '../../base/lazily.ts';
import { stem } from './stem.ts';

/** What an index keeps of one token of a text. */
export interface TokenTerms {
  /** The words that it is made of, each as often as it occurs. */
  readonly parts: readonly string[];
  /** Further terms that find it: the whole of a compound, and an accented word without its accents. */
  readonly forms: readonly string[];
  /** Words that it counts for in the length of a text: an identifier's parts, the characters of a CJK run. */
  readonly words: number;
}

const cjkCharacters =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆';
const wideWords = lazily(
  () => new RegExp(`[${cjkCharacters}]+|(?:(?![${cjkCharacters}])[\\p{L}\\p{M}\\p{N}_])+`, 'gu'),
);
const beginsCjk = lazily(() => new RegExp(`^[${cjkCharacters}]`, 'u'));

/** Words joined by a hyphen, dot or slash; beyond ASCII whatever stands without a space, to be looked at more closely. */
const tokens = /#?[\w\u0080-\uFFFF]+(?:[-./][\w\u0080-\uFFFF]+)*/g;
const nonAscii = /[^\0-\x7F]/;

/** The longest word and compound that are kept as they are. */
const maxWord = 64;
const maxSegments = 8;

/** The tokens of a text, in order: `before_tool_call`, `v2.3.1`, `docs/setup.md`, a run of Chinese. */
export function tokensOf(text: string): readonly string[] {
  return (nonAscii.test(text) ? joinCjkLines(text.normalize('NFKC')) : text).match(tokens) ?? [];
}

/** A CJK text has no spaces, so the end of a line divides no word. */
function joinCjkLines(text: string): string {
  return text.replace(cjkLineEnd(), '');
}

const cjkLineEnd = lazily(() => new RegExp(`(?<=[${cjkCharacters}])\\r?\\n(?=[${cjkCharacters}])`, 'gu'));

/**
 * The terms of a token as they are indexed: lower-case stems; of an identifier or compound its parts and the whole
 * (`before_tool_call`: befor, tool, call, beforetoolcal, before_tool_call); of a run of Chinese, Japanese or Korean its
 * characters and pairs of neighbours; of an accented word also the plain one.
 */
export function termsOfToken(token: string): TokenTerms {
  return nonAscii.test(token) ? wideTerms(token, charactersAndPairs) : compoundTerms(token);
}

/** The same for a query: of a longer CJK run only the pairs, which say more than its characters. */
export function termsOfQueryToken(token: string): TokenTerms {
  return nonAscii.test(token) ? wideTerms(token, pairsOf) : compoundTerms(token);
}

function wideTerms(token: string, readRun: (characters: readonly string[]) => readonly string[]): TokenTerms {
  const parts: string[] = [];
  const forms: string[] = [];
  let words = 0;
  // Every word of a token beyond ASCII is looked at on its own: what joins them may be a quotation mark.
  for (const [word] of token.matchAll(wideWords())) {
    if (beginsCjk().test(word)) {
      const characters = Array.from(word);
      parts.push(...readRun(characters));
      words += characters.length;
    } else {
      const own = compoundTerms(word);
      const folded = foldLatin(word.toLowerCase());
      parts.push(...own.parts);
      forms.push(...own.forms, ...(folded === word.toLowerCase() ? [] : compoundTerms(folded).parts));
      words += own.words;
    }
  }
  return { parts, forms, words };
}

function charactersAndPairs(characters: readonly string[]): readonly string[] {
  return characters.length < 2 ? characters : [...characters, ...pairsOf(characters)];
}

/** The pairs of neighbours, or the character where there is only one. */
function pairsOf(characters: readonly string[]): readonly string[] {
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

/** A lower-case word without the accents of its Latin letters; in other scripts a mark makes another letter. */
function foldLatin(word: string): string {
  return word
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .replace(/[ßøłđæœ]/gu, (letter) => plainLetters.get(letter) ?? letter)
    .normalize('NFC');
}

const plainLetters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ß: 'ss',
    ø: 'o',
    Ø: 'O',
    ł: 'l',
    Ł: 'L',
    đ: 'd',
    Đ: 'D',
    æ: 'ae',
    Æ: 'AE',
    œ: 'oe',
    Œ: 'OE',
  }),
);

function compoundTerms(token: string): TokenTerms {
  const segments = token.split(/[-./#]/).filter((segment) => segment !== '');
  const parts: string[] = [];
  const forms: string[] = [];
  for (const segment of segments) addSegment(parts, forms, segment);
  const isCompound = segments.length > 1 && segments.length <= maxSegments && token.length <= maxWord;
  if (isCompound && !/[./]/.test(token))
    forms.push(stem(segments.join('').toLowerCase().replaceAll('_', '')));
  if (isCompound ? /[./\d]/.test(token) : /^#\d+$/.test(token)) forms.push(token.toLowerCase());
  return { parts, forms, words: parts.length };
}

/** Adds the terms of a word without hyphens, dots and slashes. */
function addSegment(parts: string[], forms: string[], segment: string): void {
  const words = segment.length > maxWord ? [segment.slice(0, maxWord)] : wordsOf(segment);
  for (const word of words) parts.push(stem(word.toLowerCase()));
  if (words.length < 2) return;
  forms.push(stem(words.join('').toLowerCase()));
  if (segment.includes('_')) forms.push(segment.toLowerCase().replace(/^_+|_+$/g, ''));
}

const plainWord = /^(?:[A-Z]?[a-z]+|[A-Z]+|\d+)$/;

/** The words of an identifier: cut at underscores, and where small letters or digits are followed by a capital. */
function wordsOf(segment: string): readonly string[] {
  if (plainWord.test(segment)) return [segment];
  return segment
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .split('_')
    .filter((part) => part !== '');
}
