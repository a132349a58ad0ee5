import { asOptionalRecord } from './coerce.ts';

/**
 * Helpers of providers that change requests (`openclaw/plugin-sdk/provider-stream-shared` and `provider-model-shared`): they put a
 * function around the one that asks the model, and change the body before it is sent.
 */

type Payload = Record<string, unknown>;
type Options = Readonly<Record<string, unknown>> & {
  readonly onPayload?: (payload: unknown, model: unknown) => unknown;
};
/** Asks a model, and gives a stream of events. */
export type ProviderStreamFn = (model: never, context: never, options?: Options) => unknown;

interface PatchContext {
  readonly model: unknown;
  readonly context: unknown;
  readonly options: Options | undefined;
}

/** Asks as `streamFn` does, with a body that `patch` has changed. */
export function streamWithPayloadPatch(
  streamFn: ProviderStreamFn,
  model: unknown,
  context: unknown,
  options: Options | undefined,
  patch: (payload: Payload) => void,
): unknown {
  return streamFn(model as never, context as never, {
    ...options,
    onPayload(payload, of) {
      if (typeof payload === 'object' && payload !== null) patch(payload as Payload);
      return options?.onPayload?.(payload, of ?? model);
    },
  });
}

/**
 * A function that asks as `streamFn` does, with bodies that `patch` has changed where `shouldPatch` says so.
 * @throws Error where there is no function to put it around
 */
export function createPayloadPatchStreamWrapper(
  streamFn: ProviderStreamFn | undefined,
  patch: (given: PatchContext & { readonly payload: Payload }) => void,
  { shouldPatch = () => true }: { readonly shouldPatch?: (given: PatchContext) => boolean } = {},
): (model: unknown, context: unknown, options?: Options) => unknown {
  if (streamFn === undefined) throw new Error('There is no stream function to put a wrapper around.');
  return (model, context, options) => {
    const given = { model, context, options };
    if (!shouldPatch(given)) return streamFn(model as never, context as never, options);
    return streamWithPayloadPatch(streamFn, model, context, options, (payload) =>
      patch({ ...given, payload }),
    );
  };
}

/** One function around the other, the last one outermost; what is no function is left out. */
export function composeProviderStreamWrappers(
  streamFn: ProviderStreamFn | undefined,
  ...wrappers: readonly (
    ((streamFn: ProviderStreamFn | undefined) => ProviderStreamFn | undefined) | undefined | null
  )[]
): ProviderStreamFn | undefined {
  return wrappers.reduce((inner, wrapper) => (wrapper == null ? inner : wrapper(inner)), streamFn);
}

/** Whether a request to a model of OpenAI's protocol asks it to think; where nobody says, it does. */
export function isOpenAICompatibleThinkingEnabled({
  thinkingLevel,
  options,
}: {
  readonly thinkingLevel?: unknown;
  readonly options?: Options | undefined;
}): boolean {
  const level = options?.['reasoningEffort'] ?? options?.['reasoning'] ?? thinkingLevel;
  return typeof level !== 'string' || !['off', 'none'].includes(level.trim().toLowerCase());
}

/** Says in a body whether Qwen's chat template thinks. */
export function setQwenChatTemplateThinking(payload: Payload, enabled: boolean): void {
  payload['chat_template_kwargs'] = {
    preserve_thinking: true,
    ...asOptionalRecord(payload['chat_template_kwargs']),
    enable_thinking: enabled,
  };
}

/**
 * Thoughts in the history of a body: with thinking each message of the model has `reasoning_content`, without it none has.
 */
export function normalizeOpenAICompatibleReasoningReplay(
  payload: Payload,
  options: {
    readonly thinkingEnabled: boolean;
    readonly stripAssistantMessagesOnly?: boolean;
    readonly replaceNullReasoningContent?: boolean;
    readonly shouldBackfillAssistantMessage?: (message: Payload) => boolean;
  },
): void {
  const messages: readonly unknown[] = Array.isArray(payload['messages']) ? payload['messages'] : [];
  for (const each of messages) {
    const message = asOptionalRecord(each) as Payload | undefined;
    if (message === undefined) continue;
    const isOfModel = message['role'] === 'assistant';
    if (!options.thinkingEnabled) {
      if (isOfModel || options.stripAssistantMessagesOnly !== true) delete message['reasoning_content'];
      continue;
    }
    const isWanted = isOfModel && (options.shouldBackfillAssistantMessage?.(message) ?? true);
    const isMissing =
      !Object.hasOwn(message, 'reasoning_content') ||
      (message['reasoning_content'] == null && options.replaceNullReasoningContent === true);
    if (isWanted && isMissing) message['reasoning_content'] = '';
  }
}

/** Asks models of DeepSeek's fourth family to think, or not to, in the words that they know. */
export function createDeepSeekV4OpenAICompatibleThinkingWrapper({
  baseStreamFn,
  thinkingLevel,
  shouldPatchModel,
  resolveReasoningEffort = effortOf,
  shouldBackfillAssistantReasoningContent,
}: {
  readonly baseStreamFn: ProviderStreamFn | undefined;
  readonly thinkingLevel?: unknown;
  readonly shouldPatchModel: (model: unknown) => boolean;
  readonly resolveReasoningEffort?: (level: unknown) => string;
  readonly shouldBackfillAssistantReasoningContent?: (message: Payload) => boolean;
}): ProviderStreamFn | undefined {
  if (baseStreamFn === undefined) return undefined;
  return createPayloadPatchStreamWrapper(
    baseStreamFn,
    ({ payload, options }) => {
      const level = options?.['reasoning'] ?? thinkingLevel;
      const isOff = level === 'off' || level === 'none';
      payload['thinking'] = { type: isOff ? 'disabled' : 'enabled' };
      if (isOff) {
        delete payload['reasoning_effort'];
        delete payload['reasoning'];
      } else payload['reasoning_effort'] = resolveReasoningEffort(level);
      normalizeOpenAICompatibleReasoningReplay(payload, {
        thinkingEnabled: !isOff,
        ...(shouldBackfillAssistantReasoningContent === undefined
          ? {}
          : { shouldBackfillAssistantMessage: shouldBackfillAssistantReasoningContent }),
      });
    },
    { shouldPatch: ({ model }) => shouldPatchModel(model) },
  );
}

function effortOf(level: unknown): string {
  return level === 'xhigh' || level === 'max' ? 'max' : 'high';
}

/** How providers of one protocol want histories; `family` names the protocol, and one that is not known asks for nothing. */
export function buildProviderReplayFamilyHooks({
  family,
  sanitizeToolCallIds = true,
  dropReasoningFromHistory = true,
}: {
  readonly family: string;
  readonly sanitizeToolCallIds?: boolean;
  readonly dropReasoningFromHistory?: boolean;
}): { readonly buildReplayPolicy?: (context: { readonly modelApi?: string | null }) => object | undefined } {
  if (family !== 'openai-compatible') return {};
  return {
    buildReplayPolicy: ({ modelApi }) =>
      modelApi === 'openai-completions' || modelApi === 'openai-responses'
        ? {
            ...(sanitizeToolCallIds ? { sanitizeToolCallIds, toolCallIdMode: 'strict' } : {}),
            ...(dropReasoningFromHistory && modelApi === 'openai-completions'
              ? { dropReasoningFromHistory }
              : {}),
          }
        : undefined,
  };
}
