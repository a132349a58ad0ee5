import { createSymbolModule, type ModuleExports } from '../load/createSymbolModule.ts';
import type { HostModules, RequireFrom } from '../load/hostModules.ts';
import { noEditorApi } from '../load/moduleErrors.ts';
import type { SdkModules } from './sdkModules.ts';

/** All names of the SDK; a subpath is taken whole, so that the longest one counts. */
const sdkModule = /^@?openclaw(?:\/(?:plugin-sdk(?:\/(?<subpath>.+?))?|extension-api))?(?:\.js)?$/u;

/**
 * Modules that exist only for plugins: the SDK under all its names and subpaths, whole or not. A symbol that is missing can
 * be imported; using it throws.
 */
export function createVirtualModules(
  pluginId: string,
  modules: (requireFrom?: RequireFrom) => SdkModules,
): HostModules {
  const made = new Map<string, { readonly exports: unknown }>();
  let sdk: SdkModules | undefined;
  return (name, requireFrom) => {
    if (name === 'vscode') throw noEditorApi(pluginId);
    const hit = sdkModule.exec(name);
    if (hit === null) return undefined;
    const known = made.get(name) ?? {
      exports: sdkExports(name, hit.groups?.['subpath'] ?? '', pluginId, (sdk ??= modules(requireFrom))),
    };
    made.set(name, known);
    return known;
  };
}

function sdkExports(name: string, subpath: string, pluginId: string, modules: SdkModules): ModuleExports {
  const own = Object.hasOwn(modules, subpath) ? modules[subpath] : undefined;
  return createSymbolModule({ name, pluginId, own: own ?? {}, more: modules[''] ?? {} });
}
