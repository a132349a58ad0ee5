import type { LanguageModelV4Message } from '@ai-sdk/provider';
import type { AssistantMessage, ThinkingPart, ToolCallPart } from '../../contracts/message.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import type { ModelApi } from './modelErrors.ts';

export interface PromptTarget {
  readonly api: ModelApi;
  readonly info: ModelInfo;
}

type AnswerPart = Extract<LanguageModelV4Message, { readonly role: 'assistant' }>['content'][number];

/**
 * An earlier answer as it goes back to a server. Thoughts and their signatures go to the very model that thought them and to no
 * other, which could not read them: Anthropic and Google want all of them back, OpenAI-compatible servers those of the turn
 * that is going on.
 */
export function toAnswerParts(
  message: AssistantMessage,
  target: PromptTarget,
  isOfThisTurn: boolean,
): AnswerPart[] {
  const { api, info } = target;
  const isOwn = message.provider === info.provider && message.model === info.model;
  const wantsThoughts = isOwn && (api !== 'openai-compatible' || isOfThisTurn);
  return message.content.flatMap((part): AnswerPart[] => {
    // Anthropic refuses empty texts.
    if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
    if (part.type === 'thinking') return wantsThoughts ? toReasoning(part, target) : [];
    return [toCall(part, isOwn)];
  });
}

function toReasoning(part: ThinkingPart, { api }: PromptTarget): AnswerPart[] {
  const { thinking, thinkingSignature: signature, redacted } = part;
  const reasoning = { type: 'reasoning' as const, text: thinking };
  if (api === 'openai-compatible') return thinking === '' ? [] : [reasoning];
  if (api === 'google') {
    return [
      { ...reasoning, ...(signature && { providerOptions: { google: { thoughtSignature: signature } } }) },
    ];
  }
  // Anthropic takes no thought back without its signature.
  if (signature === undefined) return [];
  const anthropic = redacted === true ? { redactedData: signature } : { signature };
  return [{ ...reasoning, providerOptions: { anthropic } }];
}

/** Google's signatures pass through OpenAI-compatible servers, too. */
function toCall(part: ToolCallPart, isOwn: boolean): AnswerPart {
  const { id, name, thoughtSignature: signature } = part;
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: part.arguments,
    ...(isOwn && signature !== undefined && { providerOptions: { google: { thoughtSignature: signature } } }),
  };
}
