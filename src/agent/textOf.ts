import type { AgentMessage } from '../contracts/message.ts';

/** The text parts of a message as one string. */
export function textOf(message: AgentMessage): string {
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}
