import { inertLine } from '../../base/text.ts';
import { snippetOf } from '../../memory/ranking/snippetOf.ts';

/**
 * What a hit says where the query's words stand, as one plain line of at most `max` characters. Headings at the top are left out:
 * they stand beside it. Still untrusted text.
 */
export function glimpseOf(text: string, query: string, max: number): string {
  const body = text.replace(/^(?:\s*#{1,6}\s[^\n]*(?:\n|$))+/u, '').trim();
  const shown = body === '' ? text.trim() : body;
  const start = Math.max(0, shown.indexOf(snippetOf(shown, query, max)));
  return inertLine(`${start === 0 ? '' : '… '}${shown.slice(start)}`, max);
}
