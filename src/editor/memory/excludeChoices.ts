/** Something that can be excluded because of one file. */
export interface ExcludeChoice {
  readonly kind: 'file' | 'folder';
  /** As people read it: `docs/guides`. */
  readonly path: string;
  /** Relative to the workspace folder. */
  readonly glob: string;
}

/**
 * The file itself, then the folders above it, the nearest first. `names` lead from the workspace folder to the file. A glob
 * without a slash would match in every folder, so that of a file at the top begins with `./`. Pure.
 */
export function planExcludeChoices(names: readonly string[]): readonly ExcludeChoice[] {
  const folders = names.slice(0, -1).map((_, index) => names.slice(0, index + 1));
  return [
    { kind: 'file', path: names.join('/'), glob: names.length === 1 ? `./${toGlob(names)}` : toGlob(names) },
    ...folders
      .reverse()
      .map((each) => ({ kind: 'folder', path: each.join('/'), glob: `${toGlob(each)}/**` }) as const),
  ];
}

/** Characters with a meaning in globs are taken literally (src/base/compileGlob.ts). */
function toGlob(names: readonly string[]): string {
  return names.map((name) => name.replace(/[*?[\]{},\\]/gu, '\\$&')).join('/');
}
