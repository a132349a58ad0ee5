import { inertLine } from '../../base/text.ts';
import type { Session } from '../../sessions/session.ts';

/** A turn to fork before. */
export interface ForkTurn {
  readonly runId: string;
  /** What the user asked in it, whole. */
  readonly prompt: string;
  /** The same on one line. */
  readonly label: string;
  /** Counted from 1. */
  readonly number: number;
}

/** The turns of a session that began with words of the user, newest first. Pure. */
export function planTurns(session: Pick<Session, 'entries'>): readonly ForkTurn[] {
  const turns: ForkTurn[] = [];
  let runId: string | undefined;
  for (const entry of session.entries()) {
    if (entry.type === 'turn') runId = entry.state === 'started' ? entry.runId : undefined;
    if (runId === undefined || entry.type !== 'message' || entry.message.role !== 'user') continue;
    const prompt = entry.message.content
      .flatMap((part) => (part.type === 'text' && part.isContext !== true ? [part.text] : []))
      .join('\n');
    if (prompt.trim() !== '')
      turns.push({ runId, prompt, label: inertLine(prompt, 80), number: turns.length + 1 });
    // Only the first words of a turn are where one can fork.
    runId = undefined;
  }
  return turns.reverse();
}
