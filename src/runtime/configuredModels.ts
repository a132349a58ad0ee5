import { createDisposableStore, type Disposable } from '../base/disposable.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import { inertLine } from '../base/text.ts';
import type { PincerConfig, ProviderConfig } from '../config/mergeConfig.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Model, ModelCost, ModelInfo } from '../contracts/model.ts';
import type { Host } from '../host/ports.ts';
import type { ModelRegistry } from '../models/createModelRegistry.ts';
import { knownModelFacts, modelDefaults } from '../models/providers/modelDefaults.ts';
import { configuredKey } from './configuredKey.ts';
import { openRemoteModel } from './openRemoteModel.ts';

type ModelConfig = ProviderConfig['models'][number];

/**
 * Registers every model of the config; disposing takes them out again. A model that can't be registered, such as the second
 * of one name, is reported (`model_duplicate`) and left out.
 */
export function registerConfiguredModels(
  registry: ModelRegistry,
  config: PincerConfig,
  host: Host,
  report: (diagnostic: Diagnostic) => void,
): Disposable {
  const store = createDisposableStore();
  for (const [id, provider] of Object.entries(config.providers)) {
    for (const model of provider.models) {
      try {
        store.add(registry.register(openConfiguredModel(id, provider, model, host)));
      } catch (error) {
        report(problemOf(error));
      }
    }
  }
  return store;
}

/** One model as the config writes it: what it leaves out is `modelDefaults`. */
function openConfiguredModel(id: string, provider: ProviderConfig, model: ModelConfig, host: Host): Model {
  const { api, baseUrl, headers } = provider;
  const apiKey = configuredKey(id, provider, host);
  return openRemoteModel(host, {
    api,
    info: toInfo(id, provider, model),
    baseUrl,
    ...(headers === undefined ? {} : { headers }),
    ...(apiKey === undefined ? {} : { apiKey }),
  });
}

function toInfo(provider: string, { api, baseUrl }: ProviderConfig, model: ModelConfig): ModelInfo {
  const defaults = modelDefaults(api, baseUrl, model.id);
  return {
    provider,
    model: model.id,
    name: model.name ?? model.id,
    detail: new URL(baseUrl).host,
    contextWindow: model.contextWindow ?? defaults.contextWindow,
    maxOutputTokens: model.maxOutputTokens ?? defaults.maxOutputTokens,
    toolCalling: model.toolCalling ?? true,
    imageInput: model.imageInput ?? defaults.imageInput === true,
    thinking: model.thinking ?? false,
    ...(model.cost === undefined ? {} : { cost: toCost(model.cost) }),
    api: upstreamApis[api],
    transport: 'sse',
    ...windowSource(api, baseUrl, model),
  };
}

/** Upstream's names of the protocols. */
const upstreamApis = {
  'openai-compatible': 'openai-completions',
  anthropic: 'anthropic-messages',
  google: 'google-generative-ai',
} as const;

function windowSource(
  api: ProviderConfig['api'],
  baseUrl: string,
  { id, contextWindow }: ModelConfig,
): Pick<ModelInfo, 'contextWindowSource'> {
  if (contextWindow !== undefined) return { contextWindowSource: 'modelsConfig' };
  return knownModelFacts(api, baseUrl, id) === undefined ? { contextWindowSource: 'default' } : {};
}

function toCost({ input, output, cacheRead, cacheWrite }: NonNullable<ModelConfig['cost']>): ModelCost {
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

function problemOf(error: unknown): Diagnostic {
  const { code, hint } = error instanceof PincerError ? error : { code: 'model_invalid', hint: undefined };
  const message = errorMessage(error);
  return { level: 'error', code, message, ...(hint === undefined ? {} : { hint }) };
}

/** A problem where the config's `model` names none that is there; looked up each time, since models come and go. */
export function unknownDefaultModel(
  models: Pick<ModelRegistry, 'find'>,
  name: string | undefined,
  source: string,
): readonly Diagnostic[] {
  if (name === undefined || models.find(name) !== undefined) return [];
  return [
    {
      level: 'error',
      code: 'model_unknown',
      message: `model: there is no model “${inertLine(name, 120)}”. The built-in model answers until then.`,
      hint: 'Correct the key “model” in your config, or add the model with “Pincer: Add Model…”.',
      source,
      key: ['model'],
    },
  ];
}
