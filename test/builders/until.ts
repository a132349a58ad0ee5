import { vi } from 'vitest';

/** Only what never comes ends the wait: a machine that does other work is slow. Milliseconds. */
const timeout = 120_000;

/** Asks until the check throws nothing, and gives its answer. */
export const until = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 20 });
