import type { AgentMessage } from '../../src/contracts/message.ts';

/**
 * Why a model's server would refuse a conversation: results that stand apart from the answer that asked for them, calls without
 * a result, or an answer at the beginning. Undefined where it takes it.
 */
export function findConversationFault(messages: readonly AgentMessage[]): string | undefined {
  let open = new Set<string>();
  if (messages[0] !== undefined && messages[0].role !== 'user') return 'it does not begin with the user';
  for (const message of messages) {
    if (message.role === 'toolResult') {
      if (!open.delete(message.toolCallId)) return `the result ${message.toolCallId} has no call`;
      continue;
    }
    const [left] = open;
    if (left !== undefined) return `the call ${left} has no result`;
    const ids =
      message.role === 'assistant'
        ? message.content.flatMap((part) => (part.type === 'toolCall' ? [part.id] : []))
        : [];
    open = new Set(ids);
  }
  const [left] = open;
  return left === undefined ? undefined : `the call ${left} has no result`;
}
