/** The first character of terms that stand for a file name: no text has one that begins so. */
const mark = '\u0001';
const extension = /\.(?:md|markdown|mdx|jsonl)$/i;
const maxSegments = 12;

/**
 * The terms by which a file is found when a query names it: its name and each longer end of its path, without the extension.
 * `docs/a/setup.md` gives `setup`, `a/setup` and `docs/a/setup`, each behind a mark.
 */
export function fileKeysOf(path: string): readonly string[] {
  const segments = plain(path).split('/').slice(-maxSegments);
  return segments.map((_, index) => `${mark}${segments.slice(index).join('/')}`);
}

/** The key that a word of a query may stand for; undefined where it looks like an ordinary word or number. */
export function fileKeyOfWord(word: string): string | undefined {
  const name = plain(word.replace(/^(?:\.\/|@)+/, '').replace(/#.*$/, ''));
  const looksLikeName =
    extension.test(word.replace(/#.*$/, '')) ||
    /\p{L}.*[-_/]|[-_/].*\p{L}|\d-.*\d-|\p{L}\d|\d\p{L}/u.test(word) ||
    /^[A-Z]{4,}$/.test(word);
  return looksLikeName && name !== '' ? `${mark}${name}` : undefined;
}

export function isFileKey(term: string): boolean {
  return term.startsWith(mark);
}

/** A path as keys have it: lower case, forward slashes, no extension. */
function plain(path: string): string {
  return path
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/^\/+/, '')
    .replace(extension, '');
}
