// Threat: people paste keys into chats, tools print them, models repeat them; what is written is stored for long, found by searches and
// shown to models. This knows shapes and names, not secrets: a password in a sentence stays.
import { findAssignments } from './findAssignments.ts';
import type { Span } from './replaceSpans.ts';
import { secretShapes } from './secretShapes.ts';

/** A secret in a text, and what it is, as people read it. */
export interface FoundSecret extends Span {
  readonly name: string;
}

/** What looks like a key, token or password, in order; linear in the length of the text. Pure. */
export function findSecrets(text: string): readonly FoundSecret[] {
  return withoutOverlaps([
    ...secretShapes.flatMap(({ name, shape }) => findShape(text, name, shape)),
    ...findAssignments(text).map((span) => ({ name: 'secret value', ...span })),
  ]);
}

function findShape(text: string, name: string, shape: RegExp): readonly FoundSecret[] {
  return [...text.matchAll(shape)].map((match) => {
    const start = match.index + (match.groups?.['before']?.length ?? 0);
    return { name, start, end: match.index + match[0].length };
  });
}

/** Of two that share text, the one that begins first counts, as far as both of them reach. */
function withoutOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const apart: FoundSecret[] = [];
  for (const each of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1);
    if (last === undefined || each.start >= last.end) apart.push(each);
    else if (each.end > last.end) apart[apart.length - 1] = { ...last, end: each.end };
  }
  return apart;
}
