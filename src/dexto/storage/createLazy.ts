import type { RowStore, ValueStore } from './backends.ts';
import { storageClosed } from './storageErrors.ts';

/** A backend that is opened with the first use; one that could not be is tried again with the next. */
interface Lazy<T> {
  get(): Promise<T>;
  /** Once it is open. */
  readonly value: T | undefined;
  close(): Promise<void>;
}

function createLazy<T extends { close(): Promise<void> }>(open: () => Promise<T>): Lazy<T> {
  let opening: Promise<T> | undefined;
  let value: T | undefined;
  let isClosed = false;
  const start = async (): Promise<T> => {
    try {
      return (value = await open());
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
  return {
    async get() {
      if (isClosed) throw storageClosed();
      return await (opening ??= start());
    },
    get value() {
      return value;
    },
    async close() {
      isClosed = true;
      // Who asked for it has been told if it could not be opened.
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}

export function createLazyRows(type: string, open: () => Promise<RowStore>): RowStore {
  const lazy = createLazy(open);
  return {
    type,
    isConnected: () => lazy.value?.isConnected() === true,
    get: async (...args) => await (await lazy.get()).get(...args),
    set: async (...args) => await (await lazy.get()).set(...args),
    delete: async (...args) => await (await lazy.get()).delete(...args),
    keys: async (...args) => await (await lazy.get()).keys(...args),
    append: async (...args) => await (await lazy.get()).append(...args),
    range: async (...args) => await (await lazy.get()).range(...args),
    close: () => lazy.close(),
  };
}

export function createLazyValues(type: string, open: () => Promise<ValueStore>): ValueStore {
  const lazy = createLazy(open);
  return {
    type,
    isConnected: () => lazy.value?.isConnected() === true,
    get: async (...args) => await (await lazy.get()).get(...args),
    set: async (...args) => await (await lazy.get()).set(...args),
    delete: async (...args) => await (await lazy.get()).delete(...args),
    close: () => lazy.close(),
  };
}
