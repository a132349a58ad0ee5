/** A glob for the files whose path has this text in a folder's name or their own; case does not count. `wanted` is in lower case. Pure. */
export function globOfFiles(wanted: string): string {
  if (wanted === '') return '**/*';
  // Globs tell case apart, and some characters mean something in them: those stand for any.
  const pattern = wanted
    .replace(/[^\p{L}\w./-]/gu, '?')
    .replace(/\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);
  return `{**/*${pattern}*,**/*${pattern}*/**}`;
}

/** Paths whose file is named so come first, then the others; shorter ones before longer ones. `wanted` is in lower case. Pure. */
export function compareOffered(wanted: string, a: string, b: string): number {
  return rankOf(wanted, a) - rankOf(wanted, b) || a.length - b.length || (a < b ? -1 : 1);
}

function rankOf(wanted: string, path: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name.startsWith(wanted)) return 0;
  return name.includes(wanted) ? 1 : 2;
}
