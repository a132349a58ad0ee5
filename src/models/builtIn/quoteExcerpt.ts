import { fenced, inertProse } from './inertMarkdown.ts';
import type { Excerpt } from './planExcerpt.ts';
import type { PassageBlock } from './readPassageBlocks.ts';

/** A block quote that shows the excerpt literally, prose as text and code as code. */
export function quoteExcerpt(excerpt: Excerpt): string {
  const parts = excerpt.blocks.map((block) =>
    block.kind === 'code' ? fenced(block.lines) : quoteProse(block),
  );
  if (excerpt.isCutBefore) parts.unshift('…');
  if (excerpt.isCutAfter) parts.push('…');
  return parts
    .join('\n\n')
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** Lines of a paragraph flow together; list items and table rows keep a line each. */
function quoteProse({ lines }: PassageBlock): string {
  return lines
    .map((line, index) => {
      const next = lines[index + 1];
      const breaks = next !== undefined && /^\s*(?:[-*+|>]|\d+[.)]\s)/u.test(next);
      return `${inertProse(line)}${breaks ? '\\' : ''}`;
    })
    .join('\n');
}
