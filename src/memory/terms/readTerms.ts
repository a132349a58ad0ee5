import { lazily } from '../../base/lazily.ts';

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

/**
 * The stem of a lower-case English word by the algorithm of M. F. Porter (1980), so that `configured`, `configures` and
 * `configuration` are one term. Words with other letters than a–z stay as they are.
 */
export function stem(word: string): string {
  if (word.length <= 2 || !/^[a-z]+$/u.test(word)) return word;
  const tense = withoutTense(withoutPlural(word));
  const ending = tense.endsWith('y') && hasVowel(tense.slice(0, -1)) ? `${tense.slice(0, -1)}i` : tense;
  const derived = replaceEnding(replaceEnding(ending, doubleEndings, 1), singleEndings, 1);
  return withoutFinalLetter(replaceEnding(derived, lastEndings, 2));
}

/** Endings with what takes their place; of two that fit, the longer counts. */
type Endings = ReadonlyMap<string, string>;

const doubleEndings: Endings = new Map([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
]);

const singleEndings: Endings = new Map([
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]);

const lastEndings: Endings = new Map(
  'al ance ence er ic able ible ant ement ment ent sion tion ou ism ate iti ous ive ize'
    .split(' ')
    .map((ending) => [ending, ending === 'sion' ? 's' : ending === 'tion' ? 't' : '']),
);

/** Replaces the longest ending that fits, if what stays before it has at least `syllables`. */
function replaceEnding(word: string, endings: Endings, syllables: number): string {
  for (let length = Math.min(7, word.length - 1); length >= 2; length -= 1) {
    const ending = word.slice(-length);
    const replacement = endings.get(ending);
    if (replacement === undefined) continue;
    const rest = word.slice(0, -length);
    // The s or t before "ion" belongs to what stays.
    const measured = ending === 'sion' || ending === 'tion' ? rest + replacement : rest;
    return measure(measured) >= syllables ? rest + replacement : word;
  }
  return word;
}

function withoutPlural(word: string): string {
  if (/(?:ss|i)es$/u.test(word)) return word.slice(0, -2);
  return /[^s]s$/u.test(word) ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const rest = /^(.*)(?:ed|ing)$/u.exec(word)?.[1];
  if (rest === undefined || !hasVowel(rest)) return word;
  if (/(?:at|bl|iz)$/u.test(rest)) return `${rest}e`;
  if (/([^aeiouylsz])\1$/u.test(rest)) return rest.slice(0, -1);
  return measure(rest) === 1 && endsLikeHop(rest) ? `${rest}e` : rest;
}

function withoutFinalLetter(word: string): string {
  const rest = word.slice(0, -1);
  if (word.endsWith('e') && (measure(rest) > 1 || (measure(rest) === 1 && !endsLikeHop(rest)))) return rest;
  return word.endsWith('ll') && measure(word) > 1 ? rest : word;
}

/** `V` or `C` for each letter; y is a vowel after a consonant. */
function pattern(word: string): string {
  return word
    .replace(/(^|[aeiou])y/gu, '$1C')
    .replace(/[aeiouy]/gu, 'V')
    .replace(/[^V]/gu, 'C');
}

/** How often consonants follow vowels: the number of syllables, roughly. */
function measure(word: string): number {
  return pattern(word).match(/V+C+/gu)?.length ?? 0;
}

function hasVowel(word: string): boolean {
  return pattern(word).includes('V');
}

/** Consonant, vowel, consonant at the end, the last none of w, x, y: where a silent e was dropped. */
function endsLikeHop(word: string): boolean {
  return pattern(word).endsWith('CVC') && !/[wxy]$/u.test(word);
}
