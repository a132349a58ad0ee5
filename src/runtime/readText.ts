import type { AgentMessage } from '../contracts/message.ts';
import type { PromptReport } from '../contracts/promptReport.ts';
import type { SessionEntry } from '../contracts/sessionEntry.ts';

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

/** Names of tools of MCP servers begin with it. */
const mcpPrefix = 'mcp__';

/**
 * Whether text from outside has entered a conversation: what was stored in an earlier life of the window counts, and so does what
 * was compacted, since the summary may repeat it. `entries` are the whole transcript. Pure.
 */
export function holdsOutsideText(entries: readonly SessionEntry[]): boolean {
  return entries.some(
    (entry) =>
      entry.type === 'message' &&
      entry.message.role === 'toolResult' &&
      (outside.has(entry.message.toolName) || entry.message.toolName.startsWith(mcpPrefix)),
  );
}

/** Tools whose results say nothing but what the session itself has written, or what the host knows. */
const own: ReadonlySet<string> = new Set(['write', 'edit', 'apply_patch', 'session_status', 'agents_list']);

/** Whether a message holds text that is neither the user's own words nor the session's writes: an attachment counts. Pure. */
export function isReadText(message: AgentMessage): boolean {
  // A failed edit quotes the file, and rules of a deeper folder come as a part of their own.
  if (message.role === 'toolResult')
    return !own.has(message.toolName) || message.isError || message.content.length > 1;
  // What stands beside the words was attached.
  return message.role === 'user' && message.content.length > 1;
}

/** The same of a whole conversation. Pure. */
export function holdsReadText(entries: readonly SessionEntry[]): boolean {
  return entries.some((entry) => entry.type === 'message' && isReadText(entry.message));
}

/** Whether files or plugins have added to a prompt: rules files, skills, notes of the memory. Pure. */
export function isPromptRead({ parts }: Pick<PromptReport, 'parts'>): boolean {
  return parts.some(({ id, owner }) => owner.kind === 'file' || owner.kind === 'plugin' || id === 'skills');
}
