/** A place for what `register` was given, so that other files of the plugin find it. */
export interface PluginRuntimeStore<T> {
  setRuntime(runtime: T): void;
  clearRuntime(): void;
  tryGetRuntime(): T | null;
  /** @throws Error with the store's text while nothing is set */
  getRuntime(): T;
}

/**
 * Makes such a place. It belongs to the module that makes it: upstream keeps it by name for the whole process, where one
 * version of a plugin would find what an older one has left.
 */
export function createPluginRuntimeStore<T>(
  options:
    | string
    | { readonly key: string; readonly errorMessage: string }
    | { readonly pluginId: string; readonly errorMessage: string },
): PluginRuntimeStore<T> {
  const errorMessage = typeof options === 'string' ? options : options.errorMessage;
  let current: T | null = null;
  return {
    setRuntime(runtime) {
      current = runtime;
    },
    clearRuntime() {
      current = null;
    },
    tryGetRuntime: () => current,
    getRuntime() {
      if (current === null) throw new Error(errorMessage);
      return current;
    },
  };
}
