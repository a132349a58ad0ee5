import type { SessionEntry } from '../contracts/session.ts';

/** Tools whose results are text from outside the workspace, or of another session that may hold such text. */
const outside: ReadonlySet<string> = new Set([
  'web_fetch',
  'web_search',
  'sessions_list',
  'sessions_history',
  'sessions_send',
  'sessions_spawn',
  'subagents',
]);

/**
 * Whether text from outside has entered a conversation: what was stored in an earlier life of the window counts, and so does what
 * was compacted, since the summary may repeat it. `entries` are the whole transcript. Pure.
 */
export function holdsOutsideText(entries: readonly SessionEntry[]): boolean {
  return entries.some(
    (entry) =>
      entry.type === 'message' && entry.message.role === 'toolResult' && outside.has(entry.message.toolName),
  );
}
