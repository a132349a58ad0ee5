import type { AgentMessage, AssistantMessage, TokenUsage, UserMessage } from '../../src/contracts/message.ts';
import type { CompactionEntry, SessionEntry } from '../../src/contracts/sessionEntry.ts';

/** Messages as short as a test reads well. */

export function user(text: string, via?: UserMessage['via']): UserMessage {
  return {
    role: 'user',
    content: [{ type: 'text', text }],
    timestamp: 0,
    ...(via === undefined ? {} : { via }),
  };
}

/** What was added to the user's words, such as a plugin's context. */
export function context(text: string): UserMessage {
  return { role: 'user', content: [{ type: 'text', text, isContext: true }], timestamp: 0 };
}

export function says(text: string, usage?: TokenUsage): AssistantMessage {
  return answer([{ type: 'text', text }], usage);
}

/** An answer that asks for tools; each call is `[id, name, arguments]`. */
export function calls(
  ...all: readonly (readonly [string, string, Readonly<Record<string, unknown>>?])[]
): AssistantMessage {
  return answer(
    all.map(([id, name, params = {}]) => ({ type: 'toolCall', id, name, arguments: { ...params } })),
  );
}

export function result(toolCallId: string, text: string, isError = false): AgentMessage {
  return {
    role: 'toolResult',
    toolCallId,
    toolName: 'tool',
    content: [{ type: 'text', text }],
    isError,
    timestamp: 0,
  };
}

function answer(content: AssistantMessage['content'], usage?: TokenUsage): AssistantMessage {
  return {
    role: 'assistant',
    content,
    provider: 'p',
    model: 'm',
    stopReason: 'stop',
    timestamp: 0,
    ...(usage === undefined ? {} : { usage }),
  };
}

/** Lines of a transcript with the ids `e0`, `e1` …; what is an entry already stays one. */
export function transcript(...lines: readonly (AgentMessage | CompactionEntry)[]): SessionEntry[] {
  return lines.map((line, index) => {
    const ids = { id: `e${String(index)}`, parentId: index === 0 ? null : `e${String(index - 1)}` };
    return 'type' in line ? { ...line, ...ids } : { type: 'message', ...ids, message: line };
  });
}

export function compaction(firstKeptId: string | null, more: Partial<CompactionEntry> = {}): CompactionEntry {
  return {
    type: 'compaction',
    id: '',
    parentId: null,
    summary: 'What was before.',
    firstKeptId,
    by: 'auto',
    model: { provider: 'p', model: 'm' },
    tokensBefore: 100,
    tokensAfter: 10,
    compactedCount: 1,
    timestamp: 0,
    ...more,
  };
}
