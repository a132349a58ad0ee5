import { createDisposableStore, type Disposable } from '../base/disposable.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import type { PincerConfig, ProviderConfig } from '../config/mergeConfig.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Model } from '../contracts/model.ts';
import type { Host } from '../host/ports.ts';
import type { ModelRegistry } from '../models/createModelRegistry.ts';
import { createOpenAiCompatibleModel } from '../models/openAiCompatible/createOpenAiCompatibleModel.ts';

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
        store.add(registry.register(configuredModel(id, provider, model, host)));
      } catch (error) {
        report(problemOf(error));
      }
    }
  }
  return store;
}

function problemOf(error: unknown): Diagnostic {
  const { code, hint } = error instanceof PincerError ? error : { code: 'model_invalid', hint: undefined };
  const message = errorMessage(error);
  return { level: 'error', code, message, ...(hint === undefined ? {} : { hint }) };
}

function configuredModel(
  id: string,
  provider: ProviderConfig,
  model: ProviderConfig['models'][number],
  host: Host,
): Model {
  const apiKey = keyReader(id, provider, host);
  return createOpenAiCompatibleModel({
    info: {
      provider: id,
      model: model.id,
      name: model.name ?? model.id,
      detail: new URL(provider.baseUrl).host,
      contextWindow: model.contextWindow ?? 32_768,
      maxOutputTokens: model.maxOutputTokens ?? 4_096,
      toolCalling: model.toolCalling ?? true,
    },
    baseUrl: provider.baseUrl,
    http: host.http,
    clock: host.clock,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
}

/** A config says where a key is kept, never the key. */
function keyReader(
  id: string,
  provider: ProviderConfig,
  host: Host,
): (() => Promise<string | undefined>) | undefined {
  const { apiKey } = provider;
  if (apiKey === undefined) return undefined;
  return async () => {
    const key = 'env' in apiKey ? host.env[apiKey.env] : await host.secrets.get(apiKey.secret);
    if (key !== undefined && key !== '') return key;
    const place = 'env' in apiKey ? `the environment variable ${apiKey.env}` : `the secret ${apiKey.secret}`;
    throw new PincerError('model_unauthorized', `The key of ${id} is missing: ${place} is empty.`, {
      hint:
        'env' in apiKey
          ? `Set ${apiKey.env} and start again.`
          : 'Run Pincer: Add Model to enter the key again.',
    });
  };
}
