import type { HostModules } from '../load/hostModules.ts';
import { missingSymbol } from './missingSymbol.ts';
import type { SdkExports, SdkModules } from './sdkModules.ts';

/** All names of the SDK; a subpath is taken whole, so that the longest one counts. */
const sdkModule = /^@?openclaw(?:\/(?:plugin-sdk(?:\/(?<subpath>.+?))?|extension-api))?(?:\.js)?$/u;

/**
 * Modules that exist only for plugins: the SDK under all its names and subpaths, whole or not. A symbol that is missing can
 * be imported; using it throws (rulings P9).
 */
export function createVirtualModules(pluginId: string, modules: () => SdkModules): HostModules {
  const made = new Map<string, { readonly exports: unknown }>();
  return (name) => {
    if (name === 'vscode') throw noEditorApi(pluginId);
    const hit = sdkModule.exec(name);
    if (hit === null) return undefined;
    const known = made.get(name) ?? {
      exports: sdkExports(name, hit.groups?.['subpath'] ?? '', pluginId, modules()),
    };
    made.set(name, known);
    return known;
  };
}

function sdkExports(name: string, subpath: string, pluginId: string, modules: SdkModules): SdkExports {
  const own = Object.hasOwn(modules, subpath) ? modules[subpath] : undefined;
  const root = modules[''] ?? {};
  const exports: SdkExports = { ...own, __esModule: true };
  const isSymbol = (key: string | symbol): key is string => typeof key === 'string' && key !== 'then';
  const proxy: SdkExports = new Proxy(exports, {
    has: (_, key) => isSymbol(key),
    get(_, key) {
      if (!isSymbol(key)) return Reflect.get(exports, key) as unknown;
      if (Object.hasOwn(exports, key)) return exports[key];
      if (key === 'default') return proxy;
      return Object.hasOwn(root, key) ? root[key] : missingSymbol(key, name, pluginId);
    },
  });
  return proxy;
}

function noEditorApi(pluginId: string): Error {
  return new Error(
    `Plugin ${pluginId} imports "vscode". Plugins also run without an editor, so that module is not there for them; use the plugin API instead.`,
  );
}
