import type { Model } from '../../contracts/model.ts';
import type { Host } from '../../host/ports.ts';
import { modelFailure } from '../../models/modelFailure.ts';
import { createRetryingModel } from '../../models/retry/createRetryingModel.ts';
import type { PluginManager } from '../../plugins/pluginManager.ts';
import { createStreamFnModel, type StreamFn } from '../../plugins/providers/createStreamFnModel.ts';
import type { PluginProvider } from '../../plugins/providers/pluginProvider.ts';
import { providerKey } from '../../plugins/providers/providerKey.ts';
import { openRemoteModel } from '../openRemoteModel.ts';
import type { AskedModel } from './askForModels.ts';

export interface PluginModelParts {
  readonly host: Host;
  readonly plugins: Pick<PluginManager, 'redact'>;
}

/**
 * A model of a plugin: asked by the plugin's own stream function where it makes one for this model, else by the protocol
 * that it names.
 * @throws whatever the plugin's `createStreamFn` throws
 */
export function openPluginModel(
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
  const isLocal = connection === undefined || isLoopback(connection.baseUrl);
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

function isLoopback(baseUrl: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(new URL(baseUrl).hostname);
}
