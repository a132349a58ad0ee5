import { createDisposableStore, type Disposable, type DisposableStore } from '../../base/disposable.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Model } from '../../contracts/model.ts';
import type { Host } from '../../host/ports.ts';
import type { ModelRegistry } from '../../models/createModelRegistry.ts';
import { modelFailure } from '../../models/modelFailure.ts';
import { createRetryingModel } from '../../models/retry/createRetryingModel.ts';
import { isLoopback } from '../../net/isLoopback.ts';
import { warnDiagnostic } from '../../plugins/pluginDiagnostics.ts';
import type { PluginManager } from '../../plugins/pluginManager.ts';
import { createRewritingModel } from '../../plugins/providers/createRewritingModel.ts';
import { createStreamFnModel, type StreamFn } from '../../plugins/providers/createStreamFnModel.ts';
import type { PluginProvider } from '../../plugins/providers/pluginProvider.ts';
import { providerKey } from '../../plugins/providers/providerKey.ts';
import { openRemoteModel } from '../openRemoteModel.ts';
import { askForModels, type AskedModel } from './askForModels.ts';
import { createSignIns, type SignInKeys, type SignIns } from './createSignIns.ts';

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
  readonly signIns: SignIns;
}

interface LiveProvider {
  readonly models: DisposableStore;
  readonly ready: Promise<void>;
}

export function createPluginModels(parts: PluginModelsParts): PluginModels {
  const live = new Map<object, LiveProvider>();
  const problems = new Map<object, readonly Diagnostic[]>();
  const signIns = createSignIns({
    providers: () => parts.plugins.providers(),
    host: parts.host,
    changed: (provider) => askAgain(provider),
  });

  const note = (provider: PluginProvider, found: readonly Diagnostic[]): void => {
    // It may be gone by the time it has answered.
    if (found.length === 0 || !live.has(provider.given)) return;
    problems.set(provider.given, [...(problems.get(provider.given) ?? []), ...found]);
    parts.changed();
  };

  const open = async (
    provider: PluginProvider,
    store: DisposableStore,
    before?: Disposable,
  ): Promise<void> => {
    const asked = await askForModels(provider, parts.host, signIns);
    before?.dispose();
    note(provider, asked.diagnostics);
    for (const model of asked.models) {
      try {
        // A store that is disposed by now takes it out again at once.
        const report = (message: string): void => note(provider, [rewriteFailed(provider, message)]);
        store.add(parts.models.register(openPluginModel({ ...parts, signIns, report }, provider, model)));
      } catch (error) {
        note(provider, [notRegistered(provider, error)]);
      }
    }
  };
  const forget = (given: object): void => {
    live.get(given)?.models.dispose();
    live.delete(given);
    if (problems.delete(given)) parts.changed();
  };
  /** Which models there are may hang on who asks. Those of before stay until it has answered. */
  const askAgain = async (provider: PluginProvider): Promise<void> => {
    const before = live.get(provider.given);
    if (before === undefined) return;
    await before.ready;
    // Unloaded meanwhile, or asked again by a second sign-in.
    if (live.get(provider.given) !== before) return;
    if (problems.delete(provider.given)) parts.changed();
    const models = createDisposableStore();
    models.add(before.models);
    const ready = open(provider, models, before.models);
    live.set(provider.given, { models, ready });
    await ready;
  };

  return {
    async sync() {
      const providers = parts.plugins.providers();
      const wanted = new Set<object>(providers.map(({ given }) => given));
      for (const given of [...live.keys()]) if (!wanted.has(given)) forget(given);
      for (const provider of providers) {
        if (live.has(provider.given)) continue;
        const models = createDisposableStore();
        live.set(provider.given, { models, ready: open(provider, models) });
      }
      await Promise.all([...live.values()].map(({ ready }) => ready));
    },
    signIns,
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

function rewriteFailed({ id, pluginId }: PluginProvider, message: string): Diagnostic {
  return warnDiagnostic('plugin_provider_failed', `provider "${id}": ${message}`, { pluginId });
}

interface PluginModelParts {
  readonly signIns: SignInKeys;
  readonly host: Host;
  readonly plugins: Pick<PluginManager, 'redact'>;
  /** Told of a function of the provider that fails while a model is asked. */
  readonly report: (message: string) => void;
}

/**
 * A model of a plugin: asked by the plugin's own stream function where it makes one for this model, else by the protocol
 * that it names.
 * @throws whatever the plugin's `createStreamFn` throws
 */
function openPluginModel(
  { host, plugins, signIns, report }: PluginModelParts,
  provider: PluginProvider,
  model: AskedModel,
): Model {
  const { info, given, connection } = model;
  const apiKey = keyReader(provider, model, host, signIns);
  const redact = (text: string): string => signIns.redact(plugins.redact(text));
  const wrap = (asked: Model): Model =>
    createRewritingModel(asked, { provider, given, clock: host.clock, redact, report });
  const streamFn = makeStreamFn(provider, model);
  if (streamFn === undefined) {
    if (connection !== undefined) return openRemoteModel(host, { info, ...connection, apiKey }, wrap);
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
    redact,
  });
  return createRetryingModel(wrap(streaming), { clock: host.clock, random: Math.random });
}

function makeStreamFn({ id, given, context, call }: PluginProvider, model: AskedModel): StreamFn | undefined {
  const create = given['createStreamFn'];
  if (typeof create !== 'function') return undefined;
  const { config, workspaceDir } = context;
  const asked = {
    config,
    ...(workspaceDir === undefined ? {} : { workspaceDir }),
    provider: model.info.provider,
    modelId: model.info.model,
    model: model.given,
  };
  const made = call(
    `createStreamFn of the provider ${id}`,
    () => Reflect.apply(create, given, [asked]) as unknown,
  );
  if (typeof made !== 'function') return undefined;
  const streamFn = made as StreamFn;
  return (...request) => call(`the stream function of the provider ${id}`, () => streamFn(...request));
}

/** A server on this machine may do without the key that its provider names. */
function keyReader(
  provider: PluginProvider,
  { apiKey, connection }: AskedModel,
  { env }: Host,
  signIns: SignInKeys,
): () => Promise<string | undefined> {
  const { given, label, pluginId } = provider;
  const isLocal = connection === undefined || isLoopback(new URL(connection.baseUrl).hostname);
  return async () => {
    const signedIn = await signIns.keyOf(provider);
    if (signedIn !== undefined) return signedIn;
    const { value, variables } = providerKey(given['envVars'], apiKey, env);
    const [first] = variables;
    const canSignIn = provider.signIns.length > 0;
    if (value !== undefined || isLocal || (first === undefined && !canSignIn)) return value;
    throw modelFailure('model_no_key', `${label} (plugin ${pluginId}) has no key.`, {
      hint: waysToKey(canSignIn, first),
    });
  };
}

function waysToKey(canSignIn: boolean, variable: string | undefined): string {
  const signIn = 'Run “Pincer: Sign In to Model Provider…”';
  if (variable === undefined) return `${signIn}.`;
  const set = `the environment variable ${variable} and start again.`;
  return canSignIn ? `${signIn}, or set ${set}` : `Set ${set}`;
}
