// Threat: the path comes from a model. A glob that becomes a regular expression can take very long on a path made for it;
// this one steps back only to the last star, so its time is bounded by the product of the lengths.

/** Whether a path fits, given as its names: `['src', 'a.ts']`. */
export type PathGlob = (names: readonly string[]) => boolean;

/** Compiles a glob: `*` within a name, `**` for any folders, at the end for anything below. */
export function compilePathGlob(glob: string): PathGlob {
  const tokens = glob.split('/').filter((token) => token !== '' && token !== '.');
  // A glob that ends in `**` means what is in the folder, not the folder itself.
  const all = tokens.at(-1) === '**' ? [...tokens, '*'] : tokens;
  return (names) =>
    matchStars(all, names, '**', (token, name) =>
      matchStars(Array.from(token), Array.from(name), '*', isSame),
    );
}

function isSame(a: string, b: string): boolean {
  return a === b;
}

/** At a mismatch the last star takes one item more; no earlier star has to. */
function matchStars(
  tokens: readonly string[],
  items: readonly string[],
  star: string,
  matches: (token: string, item: string) => boolean,
): boolean {
  let token = 0;
  let item = 0;
  let retry: { readonly token: number; item: number } | undefined;
  while (item < items.length) {
    const wanted = tokens[token];
    if (wanted === star) {
      token += 1;
      retry = { token, item };
    } else if (wanted !== undefined && matches(wanted, items[item] ?? '')) {
      token += 1;
      item += 1;
    } else if (retry !== undefined) {
      retry.item += 1;
      token = retry.token;
      item = retry.item;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === star);
}
