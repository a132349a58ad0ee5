import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import type {
  AgentMessage,
  AssistantMessage,
  ImagePart,
  TextPart,
  ToolResultMessage,
} from '../../contracts/message.ts';
import { toAnswerParts, type PromptTarget } from './toAnswerParts.ts';

type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

/**
 * The conversation as the library takes it. Two messages of one role in a row become one, since servers and chat templates
 * refuse them; a call without its result gets one that says so, and a result without its call becomes a user's message.
 * `details` never leave the process.
 */
export function toPrompt(messages: readonly AgentMessage[], target: PromptTarget): LanguageModelV4Prompt {
  const turnStart = messages.findLastIndex((message) => message.role === 'user');
  const prompt: LanguageModelV4Message[] = [];
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined) break;
    if (message.role === 'user') append(prompt, toUserMessage(message.content, target));
    else if (message.role === 'toolResult') append(prompt, toOrphan(message, target));
    else {
      const results = resultsAfter(messages, at);
      for (const each of toRound(message, results, target, at > turnStart)) append(prompt, each);
      at += results.length;
    }
  }
  // Most protocols want the user to begin; after a compaction it may be the model.
  if (prompt[0]?.role === 'assistant') prompt.unshift(toUserText('Go on with this conversation.'));
  return prompt;
}

function resultsAfter(messages: readonly AgentMessage[], at: number): ToolResultMessage[] {
  const end = messages.findIndex((message, index) => index > at && message.role !== 'toolResult');
  return messages
    .slice(at + 1, end === -1 ? undefined : end)
    .filter((message) => message.role === 'toolResult');
}

/** One answer with the results of its calls. */
function toRound(
  message: AssistantMessage,
  results: readonly ToolResultMessage[],
  target: PromptTarget,
  isOfThisTurn: boolean,
): LanguageModelV4Message[] {
  const calls = message.content.filter((part) => part.type === 'toolCall');
  const orphans = results.filter((result) => calls.every((call) => call.id !== result.toolCallId));
  const answered = calls.map((call) => ({
    call,
    result: results.find((result) => result.toolCallId === call.id),
  }));
  const parts = toAnswerParts(message, target, isOfThisTurn);
  return [
    ...(parts.length === 0 ? [] : [{ role: 'assistant' as const, content: parts }]),
    ...(answered.length === 0
      ? []
      : [
          {
            role: 'tool' as const,
            content: answered.map(({ call, result }) => toResultPart(call.id, call.name, result, target)),
          },
        ]),
    ...(target.api === 'openai-compatible' ? answered.flatMap(({ result }) => imagesOf(result, target)) : []),
    ...orphans.map((orphan) => toOrphan(orphan, target)),
  ];
}

function toResultPart(
  toolCallId: string,
  toolName: string,
  result: ToolResultMessage | undefined,
  target: PromptTarget,
): LanguageModelV4ToolResultPart {
  const of = { type: 'tool-result' as const, toolCallId, toolName };
  if (result === undefined) {
    const value = 'No result: the run was interrupted before the tool ended.';
    return { ...of, output: { type: 'error-text', value } };
  }
  const hasImages = result.content.some((part) => part.type === 'image');
  // OpenAI's protocol has no images in results: they follow as a user's message.
  if (hasImages && target.api !== 'openai-compatible' && target.info.imageInput === true) {
    return { ...of, output: { type: 'content', value: result.content.map((part) => toPart(part, target)) } };
  }
  return { ...of, output: { type: result.isError ? 'error-text' : 'text', value: textOf(result) } };
}

function textOf(result: ToolResultMessage): string {
  const text = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  if (text !== '') return text;
  return result.content.length > 0 ? 'The result is an image.' : 'The tool gave no output.';
}

function imagesOf(result: ToolResultMessage | undefined, target: PromptTarget): LanguageModelV4Message[] {
  const images = result?.content.filter((part) => part.type === 'image') ?? [];
  if (result === undefined || images.length === 0) return [];
  const note: TextPart = { type: 'text', text: `Image from the tool ${result.toolName}:` };
  return [toUserMessage([note, ...images], target)];
}

function toOrphan(result: ToolResultMessage, target: PromptTarget): LanguageModelV4Message {
  const note: TextPart = { type: 'text', text: `Result of an earlier call of the tool ${result.toolName}:` };
  return toUserMessage([note, ...result.content], target);
}

function toUserMessage(
  content: readonly (TextPart | ImagePart)[],
  target: PromptTarget,
): LanguageModelV4Message {
  return { role: 'user', content: joinTexts(content.map((part) => toPart(part, target))) };
}

function toUserText(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function toPart(part: TextPart | ImagePart, { info }: PromptTarget): UserPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (info.imageInput !== true) {
    return {
      type: 'text',
      text: `[An image (${part.mimeType}) was left out: ${info.name} reads no images.]`,
    };
  }
  return { type: 'file', mediaType: part.mimeType, data: { type: 'data', data: part.data } };
}

/** Texts in a row become one, for servers that take a message as plain text only; empty ones are refused by some. */
function joinTexts(parts: readonly UserPart[]): UserPart[] {
  const joined: UserPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && part.text.trim() === '') continue;
    if (part.type === 'text' && last?.type === 'text') {
      joined[joined.length - 1] = { type: 'text', text: `${last.text}\n${part.text}` };
    } else joined.push(part);
  }
  return joined;
}

function append(prompt: LanguageModelV4Message[], message: LanguageModelV4Message): void {
  const last = prompt.at(-1);
  if (message.role === 'user') {
    if (message.content.length === 0) return;
    if (last?.role === 'user') {
      prompt[prompt.length - 1] = { role: 'user', content: joinTexts([...last.content, ...message.content]) };
      return;
    }
  } else if (message.role === 'assistant' && last?.role === 'assistant') {
    prompt[prompt.length - 1] = { role: 'assistant', content: [...last.content, ...message.content] };
    return;
  }
  prompt.push(message);
}
