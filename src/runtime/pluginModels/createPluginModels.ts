import { createDisposableStore, type Disposable, type DisposableStore } from '../../base/disposable.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Model } from '../../contracts/model.ts';
import type { Host } from '../../host/ports.ts';
import type { ModelRegistry } from '../../models/createModelRegistry.ts';
import { modelFailure } from '../../models/modelFailure.ts';
import { createRetryingModel } from '../../models/retry/createRetryingModel.ts';
import { isLoopback } from '../../net/isLoopback.ts';
import type { PluginManager } from '../../plugins/pluginManager.ts';
import { createStreamFnModel, type StreamFn } from '../../plugins/providers/createStreamFnModel.ts';
import type { PluginProvider } from '../../plugins/providers/pluginProvider.ts';
import { providerKey } from '../../plugins/providers/providerKey.ts';
import { openRemoteModel } from '../openRemoteModel.ts';
import { askForModels, type AskedModel } from './askForModels.ts';

interface PluginModelsParts {
  readonly models: ModelRegistry;
  readonly plugins: Pick<PluginManager, 'providers' | 'redact'>;
  readonly host: Host;
  /** Called when `diagnostics` has changed. */
  readonly changed: () => void;
}

/** The models that plugins bring (`api.registerProvider`), in the registry as long as their plugin is loaded. */
interface PluginModels extends Disposable {
  /**
   * Takes out the models of providers that are gone and asks new ones for theirs; to be called whenever plugins have changed.
   * Resolves when every provider has answered or failed; never rejects.
   */
  sync(): Promise<void>;
  /** What of the providers of now can't be used, and why. */
  diagnostics(): readonly Diagnostic[];
}

interface LiveProvider {
  readonly models: DisposableStore;
  readonly ready: Promise<void>;
}

export function createPluginModels(parts: PluginModelsParts): PluginModels {
  const live = new Map<object, LiveProvider>();
  const problems = new Map<object, readonly Diagnostic[]>();

  const note = (provider: PluginProvider, found: readonly Diagnostic[]): void => {
    // It may be gone by the time it has answered.
    if (found.length === 0 || !live.has(provider.given)) return;
    problems.set(provider.given, [...(problems.get(provider.given) ?? []), ...found]);
    parts.changed();
  };

  const open = async (provider: PluginProvider, store: DisposableStore): Promise<void> => {
    const asked = await askForModels(provider, parts.host);
    note(provider, asked.diagnostics);
    for (const model of asked.models) {
      try {
        // A store that is disposed by now takes it out again at once.
        store.add(parts.models.register(openPluginModel(parts, provider, model)));
      } catch (error) {
        note(provider, [notRegistered(provider, error)]);
      }
    }
  };

  return {
    async sync() {
      const providers = parts.plugins.providers();
      const wanted = new Set<object>(providers.map(({ given }) => given));
      for (const [given, { models }] of live) {
        if (wanted.has(given)) continue;
        models.dispose();
        live.delete(given);
        if (problems.delete(given)) parts.changed();
      }
      for (const provider of providers) {
        if (live.has(provider.given)) continue;
        const models = createDisposableStore();
        live.set(provider.given, { models, ready: open(provider, models) });
      }
      await Promise.all([...live.values()].map(({ ready }) => ready));
    },
    diagnostics: () => [...problems.values()].flat(),
    dispose() {
      for (const { models } of live.values()) models.dispose();
      live.clear();
      problems.clear();
    },
  };
}

function notRegistered({ pluginId }: PluginProvider, error: unknown): Diagnostic {
  const { code, hint } = error instanceof PincerError ? error : { code: 'model_invalid', hint: undefined };
  return {
    level: 'error',
    code,
    message: errorMessage(error),
    pluginId,
    ...(hint === undefined ? {} : { hint }),
  };
}

interface PluginModelParts {
  readonly host: Host;
  readonly plugins: Pick<PluginManager, 'redact'>;
}

/**
 * A model of a plugin: asked by the plugin's own stream function where it makes one for this model, else by the protocol
 * that it names.
 * @throws whatever the plugin's `createStreamFn` throws
 */
function openPluginModel(
  { host, plugins }: PluginModelParts,
  provider: PluginProvider,
  model: AskedModel,
): Model {
  const { info, given, connection } = model;
  const apiKey = keyReader(provider, model, host);
  const streamFn = makeStreamFn(provider, model);
  if (streamFn === undefined) {
    if (connection !== undefined) return openRemoteModel(host, { info, ...connection, apiKey });
    throw new Error(
      `provider "${provider.id}" has no stream function for ${info.model}, and names no server`,
    );
  }
  const streaming = createStreamFnModel({
    info,
    pluginId: provider.pluginId,
    given,
    apiKey,
    streamFn,
    clock: host.clock,
    redact: (text) => plugins.redact(text),
  });
  return createRetryingModel(streaming, { clock: host.clock, random: Math.random });
}

function makeStreamFn({ given, context }: PluginProvider, model: AskedModel): StreamFn | undefined {
  const create = given['createStreamFn'];
  if (typeof create !== 'function') return undefined;
  const { config, workspaceDir } = context;
  const made: unknown = Reflect.apply(create, given, [
    {
      config,
      ...(workspaceDir === undefined ? {} : { workspaceDir }),
      provider: model.info.provider,
      modelId: model.info.model,
      model: model.given,
    },
  ]);
  return typeof made === 'function' ? (made as StreamFn) : undefined;
}

/** A server on this machine may do without the key that its provider names. */
function keyReader(
  { given, label, pluginId }: PluginProvider,
  { apiKey, connection }: AskedModel,
  { env }: Host,
): () => Promise<string | undefined> {
  const isLocal = connection === undefined || isLoopback(new URL(connection.baseUrl).hostname);
  return () => {
    const { value, variables } = providerKey(given['envVars'], apiKey, env);
    const [first] = variables;
    if (value !== undefined || first === undefined || isLocal) return Promise.resolve(value);
    return Promise.reject(
      modelFailure('model_no_key', `${label} (plugin ${pluginId}) has no key.`, {
        hint: `Set the environment variable ${first} and start again.`,
      }),
    );
  };
}
