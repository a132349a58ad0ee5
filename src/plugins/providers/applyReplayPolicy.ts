import { createHash } from 'node:crypto';
import { isRecord } from '../../base/json.ts';
import type { AgentMessage, AssistantMessage } from '../../contracts/message.ts';

/**
 * What a provider's `buildReplayPolicy` asks for, done to a history: thoughts dropped (`dropThinkingBlocks`; `dropReasoningFromHistory`
 * keeps those since the user's last message) and ids of calls rewritten (`sanitizeToolCallIds`). Other fields have no effect: what they
 * ask for (turns in order, a result for each call) holds for every model here. Pure.
 */
export function applyReplayPolicy(
  messages: readonly AgentMessage[],
  policy: unknown,
): readonly AgentMessage[] {
  if (!isRecord(policy)) return messages;
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const isDropped = (at: number): boolean =>
    policy['dropThinkingBlocks'] === true || (policy['dropReasoningFromHistory'] === true && at < last);
  const dropped = messages.map((message, at) =>
    message.role === 'assistant' && isDropped(at) ? withoutThoughts(message) : message,
  );
  return policy['sanitizeToolCallIds'] === true
    ? withPlainIds(dropped, policy['toolCallIdMode'] === 'strict9' ? nine : plain)
    : dropped;
}

function withoutThoughts(message: AssistantMessage): AssistantMessage {
  const content = message.content.filter(({ type }) => type !== 'thinking');
  // No server takes a message of nothing.
  return {
    ...message,
    content: content.length > 0 ? content : [{ type: 'text', text: '[Thoughts left out]' }],
  };
}

type MakeId = (id: string, attempt: number) => string;

const maxLength = 40;

/** Letters and digits alone. */
const plain: MakeId = (id, attempt) => {
  const cleaned = id.replace(/[^A-Za-z0-9]/gu, '').slice(0, maxLength - 4);
  return attempt === 0 && cleaned !== '' ? cleaned : `${cleaned}${String(attempt)}`;
};

/** Nine letters and digits. */
const nine: MakeId = (id, attempt) =>
  attempt === 0 && /^[A-Za-z0-9]{9}$/u.test(id)
    ? id
    : createHash('sha256')
        .update(`${String(attempt)} ${id}`)
        .digest('hex')
        .slice(0, 9);

/** One id of before is one id of now, in calls and in results. */
function withPlainIds(messages: readonly AgentMessage[], make: MakeId): readonly AgentMessage[] {
  const known = new Map<string, string>();
  const used = new Set<string>();
  const idOf = (id: string): string => {
    const before = known.get(id);
    if (before !== undefined) return before;
    let attempt = 0;
    let made = make(id, attempt);
    while (used.has(made)) made = make(id, (attempt += 1));
    used.add(made);
    known.set(id, made);
    return made;
  };
  return messages.map((message): AgentMessage => {
    switch (message.role) {
      case 'assistant':
        return {
          ...message,
          content: message.content.map((part) =>
            part.type === 'toolCall' ? { ...part, id: idOf(part.id) } : part,
          ),
        };
      case 'toolResult':
        return { ...message, toolCallId: idOf(message.toolCallId) };
      case 'user':
        return message;
    }
  });
}
