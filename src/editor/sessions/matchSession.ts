import { inertLine } from '../../base/text.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';

/** Which session somebody means; `many` are those that it could be. */
type SessionMatch =
  | { readonly kind: 'one'; readonly id: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'many'; readonly summaries: readonly SessionSummary[] };

/** Fewer letters of an id would fit by chance. */
const minPrefix = 4;

/** How much of a title names a session in a message. Characters. */
export const maxTitle = 60;

/**
 * Finds a session by its id, the beginning of its id or its name, whichever fits first; quotes around a name do not count, nor does
 * the case. A whole id at the end counts whatever stands before it, and a time behind a name says when that session began. Titles have
 * `maxTitle` at most. Pure.
 */
export function matchSession(summaries: readonly SessionSummary[], said: string): SessionMatch {
  const wanted = withoutQuotes(said).toLowerCase();
  if (wanted === '') return { kind: 'none' };
  const last = /\S+$/u.exec(wanted)?.[0];
  const named = summaries.find(({ id }) => id === last);
  if (named !== undefined) return { kind: 'one', id: named.id };
  const byId = wanted.length < minPrefix ? [] : summaries.filter(({ id }) => id.startsWith(wanted));
  if (byId.length > 0) return toMatch(byId);
  const called = (name: string): readonly SessionSummary[] => {
    const short = inertLine(name, maxTitle).toLowerCase();
    return summaries.filter(({ title }) => title.trim().toLowerCase() === short);
  };
  const { name, time } = /^(?<name>.*) \((?<time>[\d-]+ [\d:]+)\)$/u.exec(said.trim())?.groups ?? {};
  if (name === undefined || time === undefined) return toMatch(called(wanted));
  return toMatch(called(withoutQuotes(name)).filter((each) => startOf(each).startsWith(time)));
}

/** By what a message names a session so that `matchSession` finds it: its title, with when it began where others have the same one. Pure. */
export function wordsFor(summaries: readonly SessionSummary[], session: SessionSummary): string {
  const name = `“${session.title}”`;
  const start = startOf(session);
  const isClear = (words: string): boolean => {
    const match = matchSession(summaries, words);
    return match.kind === 'one' && match.id === session.id;
  };
  const clear = [name, `${name} (${start.slice(0, -3)})`, `${name} (${start})`].find(isClear);
  return clear ?? `${name} ${session.id}`;
}

/** When a session began, to the second, in local time: `2026-11-25 14:31:05`. Pure. */
export function startOf({ createdAt }: Pick<SessionSummary, 'createdAt'>): string {
  return new Date(createdAt).toLocaleString('sv-SE');
}

function withoutQuotes(text: string): string {
  return text.trim().replace(/^["“”']|["“”']$/gu, '');
}

function toMatch(found: readonly SessionSummary[]): SessionMatch {
  const [first] = found;
  if (first === undefined) return { kind: 'none' };
  return found.length === 1 ? { kind: 'one', id: first.id } : { kind: 'many', summaries: found };
}
