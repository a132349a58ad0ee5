import type { Secrets } from '../ports.ts';

/** Secrets that end with the process; `initial` stands for what was stored before. */
export function createInMemorySecrets(initial: Readonly<Record<string, string>> = {}): Secrets {
  const values = new Map(Object.entries(initial));
  return {
    get: (name) => Promise.resolve(values.get(name)),
    set: (name, value) => Promise.resolve(void values.set(name, value)),
    delete: (name) => Promise.resolve(void values.delete(name)),
  };
}
