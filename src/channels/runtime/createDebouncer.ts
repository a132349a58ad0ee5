import { isRecord } from '../../base/json.ts';

interface Pending {
  readonly items: unknown[];
  readonly cancel: () => void;
  readonly flushed: Promise<void>;
  readonly flush: () => void;
}

/** Upstream's `createInboundDebouncer`: messages of one key that come close together are handed on together. */
export function createDebouncer(
  given: unknown,
  after: (ms: number, call: () => void) => () => void,
): Readonly<Record<string, unknown>> {
  const params = isRecord(given) ? given : {};
  const call = (name: string, ...args: readonly unknown[]): unknown => {
    const found = params[name];
    return typeof found === 'function' ? (Reflect.apply(found, params, args) as unknown) : undefined;
  };
  const pending = new Map<string, Pending>();
  const handOn = async (items: unknown[]): Promise<void> => {
    try {
      // Newer plugins get a function that says when the messages were taken; here that is once they were handed on.
      await call('onFlush', items, ({ dispatch }: { readonly dispatch: (lifecycle: object) => unknown }) =>
        dispatch({ onAdmitted: () => undefined }),
      );
    } catch (error) {
      call('onError', error, items);
    }
  };
  const waitOf = (item: unknown): number => {
    const own = call('resolveDebounceMs', item);
    const ms = typeof own === 'number' ? own : params['debounceMs'];
    return typeof ms === 'number' && ms > 0 ? Math.min(ms, 10_000) : 0;
  };
  const keyOf = (item: unknown): string | undefined => {
    const key = call('buildKey', item);
    return typeof key === 'string' ? key : undefined;
  };
  const shouldBuffer = (item: unknown): boolean =>
    waitOf(item) > 0 && keyOf(item) !== undefined && call('shouldDebounce', item) !== false;
  const flushKey = async (key: string): Promise<void> => {
    const waiting = pending.get(key);
    waiting?.flush();
    await waiting?.flushed;
  };
  return {
    shouldBuffer,
    async enqueue(item: unknown) {
      const key = keyOf(item);
      if (key === undefined || !shouldBuffer(item)) {
        if (key !== undefined) await flushKey(key);
        await handOn([item]);
        return;
      }
      const waiting = pending.get(key);
      waiting?.cancel();
      const items = [...(waiting?.items ?? []), item];
      if (waiting !== undefined) pending.delete(key);
      let resolve: () => void = () => undefined;
      const flushed = new Promise<void>((done) => {
        resolve = done;
      });
      const flush = (): void => {
        if (pending.get(key)?.items !== items) return;
        pending.get(key)?.cancel();
        pending.delete(key);
        void handOn(items).then(resolve);
      };
      pending.set(key, { items, cancel: after(waitOf(item), flush), flushed, flush });
    },
    flushKey,
    cancelKey(key: string) {
      pending.get(key)?.cancel();
      return pending.delete(key);
    },
    async drain() {
      await Promise.all([...pending.keys()].map(flushKey));
    },
  };
}
