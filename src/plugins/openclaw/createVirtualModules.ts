import { z } from 'zod';
import * as root from '../../sdk/index.ts';
import * as paramReaders from '../../sdk/paramReaders.ts';
import * as pluginEntry from '../../sdk/pluginEntry.ts';
import * as toolHelpers from '../../sdk/toolHelpers.ts';
import { missingSymbol } from './missingSymbol.ts';

type Exports = Readonly<Record<string, unknown>>;

/** The SDK by subpath; `core` and `types` repeat the root, as upstream's do. */
const subpaths: Readonly<Record<string, Exports>> = {
  '': root,
  core: root,
  types: root,
  'plugin-entry': pluginEntry,
  'param-readers': paramReaders,
  'tool-plugin': { ...pluginEntry, ...toolHelpers },
  'account-id': { DEFAULT_ACCOUNT_ID: 'default', normalizeAccountId },
  zod: { z },
};

const sdkModule = /^@?openclaw\/(?:plugin-sdk(?:\/(?<subpath>.+))?|extension-api)$/u;

/** True for source text that may import such a module. */
export function mentionsVirtualModule(source: string): boolean {
  return /['"]@?(?:openclaw\/|vscode['"])/u.test(source);
}

/**
 * Modules that exist only for plugins: the SDK under all its names and subpaths, whole or not. A symbol that is missing can
 * be imported; using it throws (rulings P9). jiti asks this object with `in` and by key.
 */
export function createVirtualModules(pluginId: string): Readonly<Record<string, unknown>> {
  return new Proxy<Record<string, unknown>>(
    {},
    {
      has: (_, name) => typeof name === 'string' && (name === 'vscode' || sdkModule.test(name)),
      get(_, name) {
        if (name === 'vscode') throw noEditorApi(pluginId);
        const hit = typeof name === 'string' ? sdkModule.exec(name) : null;
        return hit === null ? undefined : sdkExports(hit[0], hit.groups?.['subpath'] ?? '', pluginId);
      },
    },
  );
}

function sdkExports(name: string, subpath: string, pluginId: string): Exports {
  const known = (Object.hasOwn(subpaths, subpath) ? subpaths[subpath] : undefined) ?? {};
  const symbols: Exports = { ...known, __esModule: true };
  const isSymbol = (key: string | symbol): key is string =>
    typeof key === 'string' && key !== 'then' && key !== 'default';
  return new Proxy(symbols, {
    // jiti looks with `in` before it reads.
    has: (_, key) => isSymbol(key),
    get(_, key) {
      if (!isSymbol(key)) return undefined;
      return Object.hasOwn(symbols, key) ? symbols[key] : missingSymbol(key, name, pluginId);
    },
  });
}

function noEditorApi(pluginId: string): Error {
  return new Error(
    `Plugin ${pluginId} imports "vscode". Plugins also run without an editor, so that module is not there for them; use the plugin API instead.`,
  );
}

function normalizeAccountId(id: unknown): string {
  const text = typeof id === 'string' ? id.trim().toLowerCase() : '';
  return text === '' ? 'default' : text;
}
