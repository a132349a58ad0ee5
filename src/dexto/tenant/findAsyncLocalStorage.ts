import type { AsyncStorageConstructor } from './createTenantContext.ts';

/** A `globalThis` that may or may not be that of Node. */
interface MaybeNode {
  readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
}

/**
 * `AsyncLocalStorage` where this process has it; undefined in browsers, edge workers and old versions of Node. It is looked up and
 * not imported: where the module is missing, an import would keep the whole program from loading. Never throws.
 */
export function findAsyncLocalStorage(globals: MaybeNode = globalThis): AsyncStorageConstructor | undefined {
  const found = globals.process?.getBuiltinModule?.('node:async_hooks');
  const candidate =
    typeof found === 'object' && found !== null && 'AsyncLocalStorage' in found
      ? found.AsyncLocalStorage
      : undefined;
  return typeof candidate === 'function' ? (candidate as AsyncStorageConstructor) : undefined;
}
