import { toDisposable, type Disposable } from './disposable.ts';

/** Subscribe to something that happens more than once. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

export interface Emitter<T> extends Disposable {
  readonly event: Event<T>;
  fire(value: T): void;
}

/**
 * An emitter whose listeners run synchronously, in the order they subscribed; one added while firing waits for the next. A
 * listener that throws stops neither the others nor whoever fires: its error surfaces as an uncaught one.
 */
export function createEmitter<T>(): Emitter<T> {
  const listeners = new Set<{ readonly call: (value: T) => void }>();
  return {
    event(listener) {
      const entry = { call: listener };
      listeners.add(entry);
      return toDisposable(() => void listeners.delete(entry));
    },
    fire(value) {
      for (const entry of [...listeners]) {
        try {
          entry.call(value);
        } catch (error) {
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
    dispose: () => listeners.clear(),
  };
}
