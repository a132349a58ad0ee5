import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelApi } from './modelErrors.ts';

export interface LanguageModelOptions {
  readonly api: ModelApi;
  /** The server's own name for the model. */
  readonly model: string;
  /** Any address: `fetch` decides where a request goes. */
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** Changes the body of an OpenAI-compatible request before it is sent. */
  readonly transformBody: (body: Record<string, unknown>) => Record<string, unknown>;
}

/** Stands where a library wants a key: with none it would look for one in the environment. `fetch` sends the real one. */
const noKey = 'none';

/**
 * The wire protocols, by the AI SDK's provider packages. This module is a bundle of its own (esbuild.mjs), loaded before the
 * first request: nobody pays for it who talks to VS Code's models only.
 */
export function createLanguageModel(options: LanguageModelOptions): LanguageModelV4 {
  const { api, model, fetch } = options;
  const address = { baseURL: options.baseUrl, fetch };
  switch (api) {
    case 'anthropic':
      return createAnthropic({ ...address, apiKey: noKey }).languageModel(model);
    case 'google':
      return createGoogle({ ...address, apiKey: noKey }).languageModel(model);
    case 'openai-compatible':
      return createOpenAICompatible({
        ...address,
        name: 'openaiCompatible',
        includeUsage: true,
        transformRequestBody: options.transformBody,
      }).chatModel(model);
  }
}
