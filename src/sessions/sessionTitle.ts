import { inertLine } from '../base/text.ts';
import type { Session } from './session.ts';

/** What a session is called: the user's name for it, else the first words the user wrote; undefined before the first turn. Pure. */
export function sessionTitle(session: Pick<Session, 'name' | 'entries'>, max = 60): string | undefined {
  const name = session.name() ?? firstWords(session.entries());
  const line = inertLine(name ?? '', max);
  return line === '' ? undefined : line;
}

function firstWords(entries: ReturnType<Session['entries']>): string | undefined {
  for (const entry of entries) {
    if (entry.type !== 'message' || entry.message.role !== 'user') continue;
    const part = entry.message.content.find((each) => each.type === 'text' && each.isContext !== true);
    if (part?.type === 'text' && part.text.trim() !== '') return part.text;
  }
  return undefined;
}
