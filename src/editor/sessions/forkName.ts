import { inertLine } from '../../base/text.ts';
import type { Conversations } from '../../runtime/conversations.ts';
import type { Session } from '../../sessions/session.ts';
import type { ForkPoint } from '../../sessions/sessionStore.ts';

const maxTitle = 60;

/** A name for a copy that no other conversation has: `Boats (fork)`, `Boats (fork 2)`. Pure. */
export function forkName(title: string, taken: readonly string[]): string {
  const base = inertLine(title.replace(/ \(fork(?: \d+)?\)$/u, ''), maxTitle);
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? `${base} (fork)` : `${base} (fork ${String(count)})`;
    if (!taken.includes(name)) return name;
  }
}

/** A copy of a conversation; in the list it is told from what it was copied from. One that holds nothing yet is named by what comes. */
export async function forkWithName(
  conversations: Pick<Conversations, 'fork' | 'rename' | 'summaries'>,
  id: string,
  at?: ForkPoint,
): Promise<Session> {
  const summaries = await conversations.summaries();
  const title = summaries.find((each) => each.id === id)?.title ?? '';
  const fork = await conversations.fork(id, at);
  const taken = summaries.map((each) => each.title);
  if (title.trim() !== '' && fork.messages().length > 0)
    await conversations.rename(fork.id, forkName(title, taken));
  return fork;
}
