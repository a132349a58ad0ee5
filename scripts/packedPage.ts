export interface PackedPageOptions {
  /** The heading of the page that says how to open the documentation. */
  readonly heading?: string | undefined;
  /** Drawings in plain text, by the path of the picture in whose place they stand. */
  readonly drawings?: ReadonlyMap<string, string> | undefined;
}

/**
 * A page of the repository as VS Code's page of an extension can show it. Pictures and links have to be https addresses there, or lead to
 * a heading of the page itself; what lies in the package it neither shows nor opens. So a picture gives way to its drawing, or goes where
 * it has none, and a link to a file leads to `heading` of the same page; without one its text alone stays. Code blocks stay as they
 * are. Pure.
 */
export function packedPage(markdown: string, { heading, drawings }: PackedPageOptions = {}): string {
  return markdown
    .split(codeBlock)
    .map((part, index) => (index % 2 === 1 ? part : withoutFiles(withDrawings(part, drawings), heading)))
    .join('');
}

/** Captured, so that `split` keeps what lies between: every second part is one. */
const codeBlock = /(^`{3}[^]*?^`{3}$)/mu;

/** It lists the pages, so a link to it leads nowhere from the heading that speaks of it. */
const index = 'docs/README.md';

/** A picture that is a paragraph of its own, with the blank line above it. */
const pictureParagraph = /\n\n([ \t]*)!\[[^\]]*\]\((?!https:)([^)]*)\)(?=\n)/gu;

function withDrawings(text: string, drawings: PackedPageOptions['drawings']): string {
  return text.replace(pictureParagraph, (_, indent: string, file: string) => {
    const drawing = drawings?.get(file);
    if (drawing === undefined) return '';
    // As a diff: VS Code's page and forges colour removed and added lines.
    const lines = ['```diff', ...drawing.trimEnd().split('\n'), '```'];
    return `\n\n${lines.map((line) => `${indent}${line}`.trimEnd()).join('\n')}`;
  });
}

function withoutFiles(text: string, heading: string | undefined): string {
  return text.replace(/\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)[^)]*\)/gu, (_, words: string, file: string) =>
    heading === undefined || file === index ? words : `[${words}](#${heading} "${file}")`,
  );
}
