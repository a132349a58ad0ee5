const words = /[\p{L}\p{N}_]+/gu;
/** Scripts that write without spaces, so that a "word" would be a whole sentence. */
const cjkRuns = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆]+/gu;
const latinOnly = /^[^\u1100-\u{10FFFF}]*$/u;

/**
 * The different words of a text in lower case, for comparing passages (OpenClaw core flow). A run of Chinese, Japanese or Korean gives its
 * characters and their pairs, as upstream does.
 */
export function tokenSet(text: string): ReadonlySet<string> {
  const found = text.toLowerCase().match(words) ?? [];
  return new Set(latinOnly.test(text) ? found : found.flatMap(tokensOfWord));
}

function tokensOfWord(word: string): readonly string[] {
  const others = word.split(cjkRuns).filter((part) => part !== '');
  return [...others, ...[...word.matchAll(cjkRuns)].flatMap(([run]) => charactersAndPairs(run))];
}

function charactersAndPairs(run: string): readonly string[] {
  const characters = Array.from(run);
  return [...characters, ...characters.slice(1).map((next, at) => `${characters[at] ?? ''}${next}`)];
}
