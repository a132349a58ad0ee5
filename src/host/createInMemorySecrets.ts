import { createEmitter, type Emitter } from '../base/event.ts';
import type { Secrets } from './ports.ts';

/** Secrets that end with the process; `initial` stands for what was stored before. */
export function createInMemorySecrets(initial: Readonly<Record<string, string>> = {}): Secrets {
  const values = new Map(Object.entries(initial));
  const changed: Emitter<string> = createEmitter();
  return {
    get: (name) => Promise.resolve(values.get(name)),
    set(name, value) {
      values.set(name, value);
      changed.fire(name);
      return Promise.resolve();
    },
    delete(name) {
      if (values.delete(name)) changed.fire(name);
      return Promise.resolve();
    },
    onDidChange: changed.event,
  };
}
