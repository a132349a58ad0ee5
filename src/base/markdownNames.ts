/** The extensions of markdown files, without the dot. */
export const markdownExtensions = ['md', 'mdx', 'markdown', 'mdown', 'mkd'] as const;

const markdownName = new RegExp(`\\.(?:${markdownExtensions.join('|')})$`, 'iu');

/** Whether a file is markdown by its name, or by a path that ends in it. */
export function isMarkdownName(name: string): boolean {
  return markdownName.test(name);
}

/** The notes of a folder whose settings say nothing else. */
export const defaultNoteGlobs: readonly string[] = ['**/*.md'];
