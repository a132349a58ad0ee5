import type { ScoreParts, TermScore } from '../memory.ts';

const maxTerms = 6;

/**
 * Why a hit stands where it does, a row for each reason, for the command line and the editor alike:
 *
 *     The query names this file
 *     Words 0.87: setup 4.1, key 2.3
 *     Meaning 0.40
 *     3 weeks old: ×0.62
 *     Much like a better hit: −0.21
 *
 * Terms come from the files and are untrusted, like the texts.
 */
export function describeWhy({ why }: { readonly why: ScoreParts }): readonly string[] {
  const rows: string[] = [];
  if (why.exact !== undefined)
    rows.push(
      why.exact === 'file' ? 'The query names this file' : 'It holds the very name that the query asks for',
    );
  if (why.text !== undefined) rows.push(`Words ${why.text.score.toFixed(2)}${termsOf(why.text.terms)}`);
  if (why.vector !== undefined) rows.push(`Meaning ${why.vector.score.toFixed(2)}`);
  if (why.ageInDays !== undefined) rows.push(`${ageOf(why.ageInDays)}${factorOf(why.decay)}`);
  if (why.similarity > 0) rows.push(`Much like a better hit: −${why.similarity.toFixed(2)}`);
  return rows;
}

function termsOf(terms: readonly TermScore[]): string {
  if (terms.length === 0) return '';
  const shown = terms.slice(0, maxTerms).map(({ term, bm25 }) => `${term} ${bm25.toFixed(1)}`);
  const left = terms.length - shown.length;
  return `: ${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function factorOf(decay: number): string {
  return decay === 1 ? '' : `: ×${decay.toFixed(2)}`;
}

function ageOf(days: number): string {
  if (days < 1) return 'Of today';
  if (days < 14) return old(days, 'day');
  if (days < 60) return old(days / 7, 'week');
  if (days < 730) return old(days / 30.44, 'month');
  return old(days / 365.25, 'year');
}

function old(count: number, unit: string): string {
  const whole = Math.floor(count);
  return `${whole} ${unit}${whole === 1 ? '' : 's'} old`;
}
