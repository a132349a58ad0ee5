/** Compatibility flags of one OpenAI-compatible server; learned from its refusals, once and not before every answer. */
export interface OpenAiCompat {
  /** It wants to hear nothing of `stream_options`, and counts no tokens. */
  refusesUsage: boolean;
  /** It calls the limit of an answer `max_completion_tokens`; OpenAI's own models that think do. */
  wantsCompletionTokens: boolean;
  /** It caches by a name that it is given. */
  readonly takesCacheKey: boolean;
}

/** Nothing is known of a server but OpenAI itself. */
export function createOpenAiCompat(baseUrl: string): OpenAiCompat {
  const isOpenAi = URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'api.openai.com';
  return { refusesUsage: false, wantsCompletionTokens: isOpenAi, takesCacheKey: isOpenAi };
}

/** True where the refusal taught something: the same request may go again. */
export function learnFrom(
  compat: OpenAiCompat,
  refusal: { readonly status: number; readonly body: string },
): boolean {
  if (refusal.status !== 400 && refusal.status !== 422) return false;
  if (!compat.wantsCompletionTokens && refusal.body.includes('max_completion_tokens')) {
    compat.wantsCompletionTokens = true;
    return true;
  }
  if (!compat.refusesUsage && refusal.body.includes('stream_options')) {
    compat.refusesUsage = true;
    return true;
  }
  return false;
}

/** The body as this server takes it. `sessionId` names the conversation to servers that cache by it. */
export function adaptBody(
  compat: Readonly<OpenAiCompat>,
  body: Readonly<Record<string, unknown>>,
  sessionId: string | undefined,
): Record<string, unknown> {
  const { max_tokens: limit, stream_options: usage, ...rest } = body;
  return {
    ...rest,
    ...(limit !== undefined && {
      [compat.wantsCompletionTokens ? 'max_completion_tokens' : 'max_tokens']: limit,
    }),
    ...(usage !== undefined && !compat.refusesUsage && { stream_options: usage }),
    ...(compat.takesCacheKey && sessionId !== undefined && { prompt_cache_key: sessionId }),
  };
}
