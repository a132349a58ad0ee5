import type {
  AgentMessage,
  AssistantMessage,
  ImagePart,
  TextPart,
  ToolResultMessage,
  UserMessage,
} from '../../contracts/message.ts';
import type { ModelInfo, ModelRequest } from '../../contracts/model.ts';

type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message as `POST /chat/completions` takes it. */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly ChatPart[] }
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls?: readonly ChatToolCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** The JSON body of a streamed request. `withUsage` asks for token counts, which some servers refuse to hear of. */
export function toChatRequest(
  info: ModelInfo,
  request: ModelRequest,
  withUsage: boolean,
): Record<string, unknown> {
  const tools = info.toolCalling ? request.tools : [];
  return {
    model: info.model,
    stream: true,
    ...(withUsage ? { stream_options: { include_usage: true } } : {}),
    messages: toChatMessages(request.systemPrompt, request.messages),
    // Servers refuse an empty list.
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }),
  };
}

/**
 * The conversation as the protocol wants it. Every tool call is followed by its result: a call that has none (its run was
 * interrupted) gets one that says so, and a result without its call becomes a user message, since servers refuse both.
 * `details` never leave the process (rulings T10).
 */
export function toChatMessages(systemPrompt: string, messages: readonly AgentMessage[]): ChatMessage[] {
  const chat: ChatMessage[] = systemPrompt === '' ? [] : [{ role: 'system', content: systemPrompt }];
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined) break;
    if (message.role === 'user') chat.push(toUserMessage(message));
    else if (message.role === 'toolResult') chat.push(toOrphanMessage(message));
    else {
      const results = resultsAfter(messages, at);
      chat.push(...toRound(message, results));
      at += results.length;
    }
  }
  return chat;
}

function resultsAfter(messages: readonly AgentMessage[], at: number): ToolResultMessage[] {
  const results: ToolResultMessage[] = [];
  for (const message of messages.slice(at + 1)) {
    if (message.role !== 'toolResult') break;
    results.push(message);
  }
  return results;
}

/** One answer with the results of its calls; images follow in a user message, since results carry text only. */
function toRound(message: AssistantMessage, results: readonly ToolResultMessage[]): ChatMessage[] {
  const calls = message.content.filter((part) => part.type === 'toolCall');
  const content = textOf(message.content);
  const orphans = results.filter((result) => calls.every((call) => call.id !== result.toolCallId));
  const others = orphans.map(toOrphanMessage);
  if (calls.length === 0) return content === '' ? others : [{ role: 'assistant', content }, ...others];

  const answered = calls.map((call) => ({
    call,
    result: results.find((result) => result.toolCallId === call.id),
  }));
  return [
    {
      role: 'assistant',
      content,
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: 'function' as const,
        function: { name: call.name, arguments: JSON.stringify(call.arguments) },
      })),
    },
    ...answered.map(({ call, result }) => ({
      role: 'tool' as const,
      tool_call_id: call.id,
      content:
        result === undefined
          ? 'No result: the run was interrupted before the tool ended.'
          : resultText(result),
    })),
    ...answered.flatMap(({ result }) => (result === undefined ? [] : imagesOf(result))),
    ...others,
  ];
}

function toUserMessage(message: UserMessage): ChatMessage {
  if (message.content.every((part) => part.type === 'text')) {
    return { role: 'user', content: textOf(message.content) };
  }
  return { role: 'user', content: message.content.map(toChatPart) };
}

function toOrphanMessage(result: ToolResultMessage): ChatMessage {
  const content = `Result of an earlier call of the tool ${result.toolName}:\n${resultText(result)}`;
  return { role: 'user', content };
}

function resultText(result: ToolResultMessage): string {
  const text = textOf(result.content);
  if (text !== '') return text;
  return result.content.length > 0 ? 'The result is an image; it follows.' : 'The tool gave no output.';
}

function imagesOf(result: ToolResultMessage): ChatMessage[] {
  const images = result.content.filter((part) => part.type === 'image');
  if (images.length === 0) return [];
  const note: ChatPart = { type: 'text', text: `Image from the tool ${result.toolName}:` };
  return [{ role: 'user', content: [note, ...images.map(toChatPart)] }];
}

function toChatPart(part: TextPart | ImagePart): ChatPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.data}` } };
}

function textOf(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('\n');
}
