import { absentSymbol } from '../openclaw/deferredSymbols.ts';

export type ModuleExports = Readonly<Record<string, unknown>>;

interface SymbolModule {
  /** As plugins import it. */
  readonly name: string;
  readonly pluginId: string;
  readonly own: ModuleExports;
  /** Looked into where `own` lacks a symbol; default: nothing. */
  readonly more?: ModuleExports;
}

/**
 * A module that the program provides. Every symbol can be imported from it, and it is its own default export; one that is
 * missing throws when it is used.
 */
export function createSymbolModule({ name, pluginId, own, more = {} }: SymbolModule): ModuleExports {
  const exports: ModuleExports = { ...own, __esModule: true };
  // With a `then`, whoever imports it would wait for it as for a promise.
  const isExportName = (key: string | symbol): key is string => typeof key === 'string' && key !== 'then';
  const proxy: ModuleExports = new Proxy(exports, {
    has: (_, key) => isExportName(key),
    get(_, key) {
      if (!isExportName(key)) return Reflect.get(exports, key) as unknown;
      if (Object.hasOwn(exports, key)) return exports[key];
      if (key === 'default') return proxy;
      return Object.hasOwn(more, key) ? more[key] : absentSymbol(key, name, pluginId);
    },
  });
  return proxy;
}
