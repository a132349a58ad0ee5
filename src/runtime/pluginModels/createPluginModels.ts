import { createDisposableStore, type Disposable, type DisposableStore } from '../../base/disposable.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Host } from '../../host/ports.ts';
import type { ModelRegistry } from '../../models/createModelRegistry.ts';
import type { PluginManager } from '../../plugins/pluginManager.ts';
import type { PluginProvider } from '../../plugins/providers/pluginProvider.ts';
import { askForModels } from './askForModels.ts';
import { openPluginModel } from './openPluginModel.ts';

export interface PluginModelsParts {
  readonly models: ModelRegistry;
  readonly plugins: Pick<PluginManager, 'providers' | 'redact'>;
  readonly host: Host;
  /** Called when `diagnostics` has changed. */
  readonly changed: () => void;
}

/** The models that plugins bring (`api.registerProvider`), in the registry as long as their plugin is loaded. */
export interface PluginModels extends Disposable {
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
