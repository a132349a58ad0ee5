// Threat: what was said in another session may hold instructions, of a web page or of another agent. So it comes as a quote,
// each line marked, with a head that says what it is; no line of it can pass for the head or for the end of the quote.
import { inertLine } from '../../../base/text.ts';
import type { QuotedMessage, SessionRow } from './agentSessions.ts';

/** Messages as a quote. Pure. */
export function quoteMessages(messages: readonly QuotedMessage[]): string {
  return messages
    .map(({ role, text }) =>
      [`> [${role}]`, ...text.split(/\r\n|[\r\n\u2028\u2029]/u).map((line) => `> ${line}`)].join('\n'),
    )
    .join('\n>\n');
}

/** One session in one line. `now` in milliseconds since the epoch. Pure. */
export function rowLine(row: SessionRow, now: number): string {
  const notes = [row.kind, `agent ${row.agentId}`, `${row.messageCount} messages`, age(now - row.updatedAt)];
  const marks = [...(row.isCaller ? ['this one'] : []), ...(row.isRunning ? ['running'] : [])];
  return `${row.key}  "${inertLine(row.title, 80)}"  (${[...notes, ...marks].join(', ')})`;
}

function age(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
