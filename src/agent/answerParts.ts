import type { AssistantMessage, ThinkingPart } from '../contracts/message.ts';

type Part = AssistantMessage['content'][number];

/** What the model thought, as far as its server shows it. */
export function reasoningOf({ content }: AssistantMessage): string {
  const texts = content.flatMap((part) => (part.type === 'thinking' ? [part.thinking] : []));
  return texts.filter((text) => text !== '').join('\n\n');
}

/**
 * The answer with the text that a plugin made of it, and with `reasoning` in place of its thoughts, where a plugin changed those too.
 * Where none did they may still hold what was taken out of the text: they go, unless the server needs them beside its calls. Pure.
 */
export function withAnswer(answer: AssistantMessage, text: string, reasoning?: string): AssistantMessage {
  const calls = answer.content.filter((part) => part.type === 'toolCall');
  const kept = calls.length > 0 ? thoughtsOf(answer) : [];
  const thoughts = reasoning === undefined ? kept : thoughtsWith(reasoning);
  return { ...answer, content: [...thoughts, ...textsWith(text), ...calls] };
}

/**
 * What the model reads of its answer while the turn goes on: a server refuses calls without the thoughts, sealed, that it made them
 * with. So where a plugin changed the thoughts of `answer` into those of `released`, which `stored` holds, the model gets its own back.
 * Pure.
 */
export function withOwnThoughts(
  stored: AssistantMessage,
  released: AssistantMessage,
  answer: AssistantMessage,
): AssistantMessage {
  const isStoredSo = hasSameThoughts(stored, released);
  const hasCalls = stored.content.some((part) => part.type === 'toolCall');
  if (hasSameThoughts(released, answer) || !isStoredSo || !hasCalls) return stored;
  const rest = stored.content.filter((part) => part.type !== 'thinking');
  return { ...stored, content: [...thoughtsOf(answer), ...rest] };
}

function hasSameThoughts(one: AssistantMessage, other: AssistantMessage): boolean {
  return JSON.stringify(thoughtsOf(one)) === JSON.stringify(thoughtsOf(other));
}

function thoughtsOf({ content }: AssistantMessage): readonly ThinkingPart[] {
  return content.filter((part) => part.type === 'thinking');
}

/** A seal holds for the thought that it was made for. */
function thoughtsWith(thinking: string): readonly Part[] {
  return thinking === '' ? [] : [{ type: 'thinking', thinking }];
}

function textsWith(text: string): readonly Part[] {
  return text === '' ? [] : [{ type: 'text', text }];
}
