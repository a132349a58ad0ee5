const letters = Array.from({ length: 26 }, (_each, at) => String.fromCharCode(97 + at));

/** All that the tiny models can read; the number of a word is its place. */
export const tinyVocabulary: readonly string[] = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  '[MASK]',
  ...'the of and to in is memory note notes release deploy server key rate limit build test'.split(' '),
  ...letters,
  ...letters.map((letter) => `##${letter}`),
];
