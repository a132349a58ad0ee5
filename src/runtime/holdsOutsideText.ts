import type { AgentMessage } from '../contracts/message.ts';

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

/** Whether text from outside has entered a conversation: what was stored in an earlier life of the window counts, too. Pure. */
export function holdsOutsideText(messages: readonly AgentMessage[]): boolean {
  return messages.some((message) => message.role === 'toolResult' && outside.has(message.toolName));
}
