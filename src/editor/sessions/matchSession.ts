import type { SessionSummary } from '../../sessions/sessionStore.ts';

/** Which session somebody means; `many` are those that it could be. */
export type SessionMatch =
  | { readonly kind: 'one'; readonly id: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'many'; readonly summaries: readonly SessionSummary[] };

/** Fewer letters of an id would fit by chance. */
const minPrefix = 4;

/**
 * Finds a session by its id, the beginning of its id or its name, whichever fits first; quotes around a name do not count, nor does
 * the case. A whole id at the end counts whatever stands before it. Pure.
 */
export function matchSession(summaries: readonly SessionSummary[], said: string): SessionMatch {
  const wanted = said
    .trim()
    .replace(/^["“”']|["“”']$/gu, '')
    .toLowerCase();
  if (wanted === '') return { kind: 'none' };
  const last = /\S+$/u.exec(wanted)?.[0];
  const named = summaries.find(({ id }) => id === last);
  if (named !== undefined) return { kind: 'one', id: named.id };
  const byId = wanted.length < minPrefix ? [] : summaries.filter(({ id }) => id.startsWith(wanted));
  if (byId.length > 0) return toMatch(byId);
  return toMatch(summaries.filter(({ title }) => title.trim().toLowerCase() === wanted));
}

function toMatch(found: readonly SessionSummary[]): SessionMatch {
  const [first] = found;
  if (first === undefined) return { kind: 'none' };
  return found.length === 1 ? { kind: 'one', id: first.id } : { kind: 'many', summaries: found };
}
