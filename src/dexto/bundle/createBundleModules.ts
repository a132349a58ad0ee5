import { dirname, join, relative, sep } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import { createLibraries } from '../../plugins/openclaw/createLibraries.ts';
import { pluginFolderName } from '../../plugins/pluginFolderName.ts';
import type { CompiledModule } from '../../plugins/load/compileModule.ts';
import { createModuleGraph } from '../../plugins/load/createModuleGraph.ts';
import type { ModuleLoader } from '../../plugins/load/createModuleLoader.ts';
import type { RequestKind } from '../../plugins/load/createResolver.ts';
import { moduleNotFound } from '../../plugins/load/moduleErrors.ts';
import { protectGlobals } from '../../plugins/register/protectGlobals.ts';
import { createDextoModules } from '../load/createDextoModules.ts';
import { dextoIdPrefix } from '../../plugins/pluginTypes.ts';
import { importKey, type AgentBundle, type BundledModule } from './agentBundle.ts';

interface BundleModulesParts {
  readonly bundle: AgentBundle;
  /** Absolute path of the bundle: its modules are told to lie beside it, where no files need to be. */
  readonly path: string;
  /** Holds `plugin-state/<plugin>`. */
  readonly stateDir: string;
}

/** The module loader over a bundle's registry: what it loads is found by the plugin's name, and no file is read (Dexto plugin specification, Modified Plugin Loader). */
export function createBundleModules({
  bundle,
  path: bundlePath,
  stateDir,
}: BundleModulesParts): ModuleLoader {
  const { modules, plugins } = bundle;
  const root = dirname(bundlePath);
  const libraries = createLibraries();
  const pathOf = (key: string): string => join(root, ...key.split('/'));
  const keyOf = (path: string): string => relative(root, path).split(sep).join('/');

  const moduleAt = (path: string): BundledModule => {
    const key = keyOf(path);
    const module = Object.hasOwn(modules, key) ? modules[key] : undefined;
    if (module === undefined) throw new Error(`${key} is not in the bundle`);
    return module;
  };

  const resolve = (request: string, from: string, kind: RequestKind): string => {
    if (Object.hasOwn(modules, keyOf(request))) return request;
    const imports = Object.hasOwn(modules, keyOf(from)) ? (moduleAt(from).imports ?? {}) : {};
    // Older bundles know one file by each name.
    const name = [importKey(request, kind), request].find((each) => Object.hasOwn(imports, each));
    const target = name === undefined ? undefined : imports[name];
    if (target === undefined)
      throw moduleNotFound(request, `${from} (a bundle holds what is imported by name)`);
    return pathOf(target);
  };

  const compile = (path: string, async: boolean): CompiledModule => {
    const { format, body, waitingBody } = moduleAt(path);
    if (format === 'json') throw new Error(`${keyOf(path)} is no code`);
    const chosen = async ? (waitingBody ?? body) : (body ?? waitingBody);
    if (chosen === undefined) throw new Error(`${keyOf(path)} has no code in the bundle`);
    return { format, waits: chosen === waitingBody, body: chosen, code: '' };
  };

  return {
    forget: () => undefined,
    async load({ id, onRepaired }) {
      const name = id.slice(dextoIdPrefix.length);
      const plugin = Object.hasOwn(plugins, name) ? plugins[name] : undefined;
      if (plugin === undefined) {
        throw new PincerError('bundle_plugin_missing', `The bundle holds no plugin "${name}".`, {
          hint: 'Make the bundle again: pincer bundle.',
        });
      }
      const graph = createModuleGraph({
        pluginId: id,
        rootDir: root,
        resolver: { resolve },
        source: { compile, readJson: (path) => structuredClone(moduleAt(path).data), nameOf: (path) => path },
        provided: createDextoModules({
          name,
          stateDir: join(stateDir, 'plugin-state', pluginFolderName(id)),
        }),
        libraries,
      });
      const { result, repaired, lost } = protectGlobals(() => graph.load(pathOf(plugin.entry)));
      if (repaired.length + lost.length > 0) onRepaired?.(repaired, lost);
      return await result;
    },
  };
}
