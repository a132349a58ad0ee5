import { isRecord } from '../../base/json.ts';
import { copyData } from '../../base/untrusted.ts';
import { estimateMessages } from '../../agent/context/estimateTokens.ts';
import type { AgentMessage, TextPart, ToolCallPart } from '../../contracts/message.ts';

/** What an engine was given, and what its answer may have. */
interface HistoryLimits {
  readonly history: readonly AgentMessage[];
  /** The same as the engine was given it. */
  readonly copies: unknown;
  readonly tokenBudget: number;
  readonly redact: (text: string) => string;
  /** The function that answered, for its errors. */
  readonly what?: string;
}

const maxMessages = 20_000;

/**
 * The messages of an engine's or a provider's answer. One that is as it was given, in the order of the history, is the message it was; of any other only
 * texts count, and they are context, no words of the user's; calls are those that were made, and results of others become text when calls are matched
 * (`closeOpenCalls`). @throws Error where it is no list of messages, or longer than the budget and the history
 */
export function readHistory(
  answer: unknown,
  { history, copies, tokenBudget, redact, what = 'assemble' }: HistoryLimits,
): readonly AgentMessage[] {
  if (!Array.isArray(answer)) throw new Error(`${what} gave no list of messages`);
  const { length } = answer;
  if (length > maxMessages) throw new Error(`${what} gave ${String(length)} messages`);
  const given = copies as readonly unknown[];
  const places = new Map<string, number[]>();
  history.forEach((_, at) => {
    const text = JSON.stringify(given[at]);
    places.set(text, [...(places.get(text) ?? []), at]);
  });
  let after = -1;
  /** A message of the history, behind those that were taken before: words of the user under another question are not what they said. */
  const knownAs = (message: unknown): AgentMessage | undefined => {
    const at = places.get(JSON.stringify(message))?.find((place) => place > after);
    if (at === undefined) return undefined;
    after = at;
    return history[at];
  };
  const calls = new Map(
    history.flatMap(({ role, content }) =>
      role === 'assistant'
        ? content.flatMap((part) => (part.type === 'toolCall' ? [[part.id, part]] : []))
        : [],
    ) as readonly (readonly [string, ToolCallPart])[],
  );
  const messages = Array.from({ length }, (_, at) => {
    const message: unknown = copyData(answer[at] as unknown);
    return knownAs(message) ?? readMessage(message, { calls, redact, what });
  }).filter(({ content }) => content.length > 0);
  const tokens = estimateMessages(messages);
  if (tokens > Math.max(tokenBudget, estimateMessages(history)))
    throw new Error(`${what} gave about ${String(tokens)} tokens where ${String(tokenBudget)} have room`);
  return messages;
}

/** A call needs its result. */
const leftOut: TextPart = { type: 'text', text: '[This result was left out.]', isContext: true };

interface ReadParts {
  readonly calls: ReadonlyMap<string, ToolCallPart>;
  readonly redact: (text: string) => string;
  readonly what: string;
}

function readMessage(message: unknown, parts: ReadParts): AgentMessage {
  if (!isRecord(message)) throw new Error(`${parts.what} gave a message that is no object`);
  const { role, timestamp: at } = message;
  const timestamp = typeof at === 'number' && Number.isFinite(at) ? at : 0;
  const content = readTexts(message['content'], parts);
  switch (role) {
    case 'user':
    case 'system':
      return { role: 'user', content, timestamp };
    case 'assistant':
      return {
        role,
        content: [
          ...content.map(({ text }): TextPart => ({ type: 'text', text })),
          ...readCalls(message['content'], parts),
        ],
        provider: textOf(message['provider']),
        model: textOf(message['model']),
        stopReason: 'stop',
        timestamp,
      };
    case 'toolResult': {
      const { isError } = message;
      const toolCallId = textOf(message['toolCallId']);
      const toolName = parts.calls.get(toolCallId)?.name ?? textOf(message['toolName']);
      const shown = content.length > 0 ? content : [leftOut];
      return { role, toolCallId, toolName, content: shown, isError: isError === true, timestamp };
    }
    default:
      throw new Error(`${parts.what} gave a message whose role is none of user, assistant, toolResult`);
  }
}

function readTexts(content: unknown, { redact }: ReadParts): readonly TextPart[] {
  const parts: readonly unknown[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  return parts.flatMap((part) => {
    const text = isRecord(part) && part['type'] === 'text' ? part['text'] : undefined;
    return typeof text === 'string' && text !== ''
      ? [{ type: 'text', text: redact(text), isContext: true }]
      : [];
  });
}

function readCalls(content: unknown, { calls }: ReadParts): readonly ToolCallPart[] {
  return listOf(content).flatMap((part) => {
    const call = isRecord(part) && part['type'] === 'toolCall' ? calls.get(textOf(part['id'])) : undefined;
    return call ?? [];
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 200) : '';
}
