import type { ModelInfo } from '../../contracts/model.ts';
import type { ModelApi } from './providerCatalog.ts';

/** What holds of a model where neither config nor server say it. */
type ModelDefaults = Pick<ModelInfo, 'contextWindow' | 'maxOutputTokens' | 'imageInput'>;

const cautious: ModelDefaults = { contextWindow: 32_768, maxOutputTokens: 4_096, imageInput: false };

/** What every model of a protocol's own service can do at least. Anybody may serve OpenAI's protocol: it says nothing. */
const ofApi: Readonly<Partial<Record<ModelApi, ModelDefaults>>> = {
  anthropic: { contextWindow: 200_000, maxOutputTokens: 8_192, imageInput: true },
  google: { contextWindow: 1_000_000, maxOutputTokens: 8_192, imageInput: true },
};

/** Models that OpenAI lists without a word on what they can. Prices change, so there are none here. */
const openAiModels: readonly (readonly [RegExp, ModelDefaults])[] = [
  [/^gpt-[5-9]/u, { contextWindow: 400_000, maxOutputTokens: 32_768, imageInput: true }],
  [/^gpt-4\.1/u, { contextWindow: 1_000_000, maxOutputTokens: 32_768, imageInput: true }],
  [/^(?:gpt-4o|chatgpt-4o)/u, { contextWindow: 128_000, maxOutputTokens: 16_384, imageInput: true }],
  [/^o[13-9](?!.*mini)/u, { contextWindow: 200_000, maxOutputTokens: 32_768, imageInput: true }],
  [/^o[13-9]/u, { contextWindow: 200_000, maxOutputTokens: 32_768, imageInput: false }],
];

/** What is known of a model by its protocol, address and name; undefined where nothing is. Pure. */
export function knownModelFacts(api: ModelApi, baseUrl: string, id: string): ModelDefaults | undefined {
  const isOpenAi = api === 'openai-compatible' && URL.parse(baseUrl)?.host === 'api.openai.com';
  return isOpenAi ? openAiModels.find(([name]) => name.test(id))?.[1] : ofApi[api];
}

/** The same, and little where nothing is known. Pure. */
export function modelDefaults(api: ModelApi, baseUrl: string, id: string): ModelDefaults {
  return knownModelFacts(api, baseUrl, id) ?? cautious;
}
