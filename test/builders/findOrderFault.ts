import type { AgentMessage } from '../../src/contracts/message.ts';

/**
 * What a model's protocol would refuse in a conversation, or undefined: an answer's calls have one result each, right behind it,
 * in any order; no result stands alone; ids are unique within an answer; the user speaks first.
 */
export function findOrderFault(messages: readonly AgentMessage[]): string | undefined {
  let open: string[] = [];
  if (messages[0] !== undefined && messages[0].role !== 'user') return `begins with ${messages[0].role}`;
  for (const [index, message] of messages.entries()) {
    const at = `message ${String(index)}`;
    if (message.role === 'toolResult') {
      if (!open.includes(message.toolCallId))
        return `${at}: a result without its call, ${message.toolCallId}`;
      open = open.filter((id) => id !== message.toolCallId);
      continue;
    }
    if (open.length > 0) return `${at}: calls without a result, ${open.join()}`;
    if (message.role !== 'assistant') continue;
    open = message.content.flatMap((part) => (part.type === 'toolCall' ? [part.id] : []));
    if (new Set(open).size < open.length) return `${at}: two calls with one id`;
  }
  return open.length > 0 ? `ends with calls without a result, ${open.join()}` : undefined;
}
