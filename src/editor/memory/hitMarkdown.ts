import { escapeMarkdown, inertLine } from '../../base/text.ts';
import { citationOf, type MemoryHit } from '../../memory/memory.ts';
import { describeWhy } from '../../memory/ranking/describeWhy.ts';
import { glimpseOf } from './glimpseOf.ts';

/** A few lines of a narrow chat. */
const maxGlimpse = 180;

// Threat: passages, headings and names come from files that anybody may have written, such as a cloned repository's. In the chat
// they may become no link, image, command, HTML or heading of ours: every piece is one line and escaped, the link's title too,
// and the address is made here.
/**
 * A hit as the entry of a markdown list: the citation as a link, whose title shows the passage, then headings, day and score, what
 * it says, and why it ranks there. `href` is an absolute address without spaces or brackets. Pure.
 */
export function hitMarkdown(hit: MemoryHit, query: string, href: string): string {
  const link = `[${literal(citationOf(hit), 300)}](<${href}> "${literal(hit.text, 600)}")`;
  const headings = hit.headings.map((each) => inertLine(each, 80)).join(' › ');
  const facts = [
    ...(headings === '' ? [] : [`**${literal(headings, 300)}**`]),
    literal(hit.date, 10),
    literal(hit.score.toFixed(2), 10),
  ];
  const why = literal(describeWhy(hit).join('. '), 200);
  const lines = [
    `${link} · ${facts.join(' · ')}`,
    literal(glimpseOf(hit.text, query, maxGlimpse), maxGlimpse),
    ...(why === '' ? [] : [`*${why}*`]),
  ];
  // Two spaces end a line; three keep it in its entry.
  return `1. ${lines.filter((line) => line !== '').join('  \n   ')}`;
}

/** One line of text, also between quotation marks. */
function literal(text: string, max: number): string {
  return escapeMarkdown(inertLine(text, max)).replaceAll('"', '\\"');
}
