/**
 * A page of the repository as VS Code's page of an extension can show it. Pictures and links have to be https addresses there, or lead to
 * a heading of the page itself; what lies in the package it neither shows nor opens. So pictures go, and a link to a file leads to
 * `heading` of the same page, which says how to open the documentation; without one its text alone stays. Code blocks stay as they
 * are. Pure.
 */
export function packedPage(markdown: string, heading?: string): string {
  return markdown
    .split(codeBlock)
    .map((part, index) => (index % 2 === 1 ? part : withoutFiles(part, heading)))
    .join('');
}

/** Captured, so that `split` keeps what lies between: every second part is one. */
const codeBlock = /(^`{3}[^]*?^`{3}$)/mu;

/** It lists the pages, so a link to it leads nowhere from the heading that speaks of it. */
const index = 'docs/README.md';

function withoutFiles(text: string, heading: string | undefined): string {
  return text
    .replace(/\n\n[ \t]*!\[[^\]]*\]\((?!https:)[^)]*\)(?=\n)/gu, '')
    .replace(/\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)[^)]*\)/gu, (_, words: string, file: string) =>
      heading === undefined || file === index ? words : `[${words}](#${heading} "${file}")`,
    );
}
