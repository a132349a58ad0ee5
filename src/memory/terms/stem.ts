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
