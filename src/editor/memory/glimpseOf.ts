import { inertLine } from '../../base/text.ts';
import { snippetOf } from '../../memory/ranking/snippetOf.ts';

/** Room for what says that something was left out, before and after. */
const marks = 4;

/**
 * What a hit says where the query's words stand, as one plain line of at most `max` characters. Headings at the top are left out:
 * they stand beside it. Still untrusted text.
 */
export function glimpseOf(text: string, query: string, max: number): string {
  const body = text.replace(/^(?:\s*#{1,6}\s[^\n]*(?:\n|$))+/u, '');
  const shown = body.trim() === '' ? text : body;
  const snippet = snippetOf(shown.trim(), query, max - marks);
  const start = shown.trim().startsWith(snippet) ? '' : '… ';
  const end = shown.trim().endsWith(snippet) ? '' : ' …';
  return inertLine(`${start}${snippet}${end}`, max);
}
