/** Fetches something with the first call; the next ones get the same. */
export interface LazyRuntime<T> {
  (): Promise<T>;
  /** What is there by now. */
  peek(): T | undefined;
  clear(): void;
}

/** A part of a module that is imported when it is first needed. */
export function createLazyRuntimeSurface<M, T>(
  load: () => Promise<M>,
  select: (module: M) => T,
): LazyRuntime<T> {
  let loading: Promise<T> | undefined;
  let loaded: { readonly value: T } | undefined;
  const get = (): Promise<T> =>
    (loading ??= load().then((module) => {
      loaded = { value: select(module) };
      return loaded.value;
    }));
  return Object.assign(get, {
    peek: () => loaded?.value,
    clear: () => {
      loading = undefined;
      loaded = undefined;
    },
  });
}

/** A module that is imported when it is first needed. */
export function createLazyRuntimeModule<M>(load: () => Promise<M>): LazyRuntime<M> {
  return createLazyRuntimeSurface(load, (module) => module);
}

/** One export of such a module. */
export function createLazyRuntimeNamedExport<M, K extends keyof M>(
  load: () => Promise<M>,
  key: K,
): LazyRuntime<M[K]> {
  return createLazyRuntimeSurface(load, (module) => module[key]);
}

/** A method of such a module that can be called at once. */
export function createLazyRuntimeMethod<S, A extends readonly unknown[], R>(
  load: () => Promise<S>,
  select: (surface: S) => (...args: A) => Promise<R> | R,
): (...args: A) => Promise<R> {
  const get = createLazyRuntimeSurface(load, select);
  return async (...args) => {
    const method = await get();
    return await method(...args);
  };
}
