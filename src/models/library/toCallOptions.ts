import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
} from '@ai-sdk/provider';
import type { ModelRequest, ThinkingLevel } from '../../contracts/model.ts';
import { toPrompt } from './toPrompt.ts';
import type { PromptTarget } from './toAnswerParts.ts';

/** Anthropic keeps what lies before such a mark for five minutes; a request may have four. */
const cached = { anthropic: { cacheControl: { type: 'ephemeral' as const } } };

/**
 * A request in the library's words. Settings that nobody chose are left out, and thinking where the model can't be asked to.
 * Anthropic is told what to cache: system prompt, tools, and the conversation so far.
 */
export function toCallOptions(request: ModelRequest, target: PromptTarget): LanguageModelV4CallOptions {
  const { api, info } = target;
  const { temperature, maxTokens, thinking } = request.settings ?? {};
  const isAnthropic = api === 'anthropic';
  const system: LanguageModelV4Message[] =
    request.systemPrompt === ''
      ? []
      : [{ role: 'system', content: request.systemPrompt, ...(isAnthropic && { providerOptions: cached }) }];
  const messages = toPrompt(withIdsFor(request, isAnthropic), target);
  const tools = info.toolCalling ? toTools(request, isAnthropic) : [];
  // Only Anthropic can't do without a limit.
  const maxOutputTokens = maxTokens ?? (isAnthropic ? info.maxOutputTokens : undefined);
  return {
    prompt: [...system, ...(isAnthropic ? markLast(messages) : messages)],
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(tools.length > 0 && { tools }),
    ...(mayThink(request, target) && thinking !== undefined && { reasoning: efforts[thinking] }),
    providerOptions: providerOptions(target, thinking),
  };
}

/** Anthropic refuses to begin thinking in the middle of a turn whose calls another model wrote. */
function mayThink({ messages }: ModelRequest, { api, info }: PromptTarget): boolean {
  if (info.thinking !== true) return false;
  const last = messages.findLast((message) => message.role === 'assistant');
  const isForeign = last !== undefined && (last.provider !== info.provider || last.model !== info.model);
  const hasCalls = last?.content.some((part) => part.type === 'toolCall') === true;
  return api !== 'anthropic' || !isForeign || !hasCalls;
}

const efforts: Readonly<Record<ThinkingLevel, NonNullable<LanguageModelV4CallOptions['reasoning']>>> = {
  off: 'none',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
};

function providerOptions(
  { api, info }: PromptTarget,
  thinking: ThinkingLevel | undefined,
): NonNullable<LanguageModelV4CallOptions['providerOptions']> {
  // A call runs once it is complete: arguments that come early and unchecked are of no use.
  if (api === 'anthropic') return { anthropic: { toolStreaming: false } };
  if (api === 'google' && info.thinking === true && thinking !== 'off') {
    return { google: { thinkingConfig: { includeThoughts: true } } };
  }
  return {};
}

function toTools({ tools }: ModelRequest, isAnthropic: boolean): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, parameters }, index) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters,
    ...(isAnthropic && index === tools.length - 1 && { providerOptions: cached }),
  }));
}

function markLast(messages: readonly LanguageModelV4Message[]): LanguageModelV4Message[] {
  return messages.map((message, index) =>
    index === messages.length - 1 ? { ...message, providerOptions: cached } : message,
  );
}

/** Anthropic refuses ids with other characters, such as another model's `functions.read:0`. */
function withIdsFor({ messages }: ModelRequest, isAnthropic: boolean): ModelRequest['messages'] {
  if (!isAnthropic) return messages;
  const clean = (id: string): string => id.replace(/[^\w-]/gu, '_');
  return messages.map((message) => {
    if (message.role === 'toolResult') return { ...message, toolCallId: clean(message.toolCallId) };
    if (message.role === 'user') return message;
    const content = message.content.map((part) =>
      part.type === 'toolCall' ? { ...part, id: clean(part.id) } : part,
    );
    return { ...message, content };
  });
}
