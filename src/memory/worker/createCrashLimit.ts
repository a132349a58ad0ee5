import { errorMessage } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Clock } from '../../host/ports.ts';
import { memoryKeepsStopping } from './errors.ts';

/** How often a thread may fail before it is left alone, and within how many milliseconds. */
const limit = { crashes: 3, withinMs: 5 * 60_000 } as const;

/** Remembers failures for as long as they count. */
export interface CrashLimit {
  add(cause: unknown): void;
  /** @throws PincerError `memory_stopped` where it failed too often of late */
  check(): void;
  problems(): readonly Diagnostic[];
}

/** At most three failures in five minutes: a file that breaks the thread must not make it start for ever. */
export function createCrashLimit(clock: Clock): CrashLimit {
  let crashes: { readonly at: number; readonly cause: unknown }[] = [];
  const recent = (): typeof crashes =>
    (crashes = crashes.filter(({ at }) => clock.monotonic() - at < limit.withinMs));
  return {
    add: (cause) => void crashes.push({ at: clock.monotonic(), cause }),
    check() {
      const all = recent();
      if (all.length >= limit.crashes) throw memoryKeepsStopping(all.length, all.at(-1)?.cause);
    },
    problems: () =>
      recent()
        .slice(-1)
        .map(({ cause }) => ({
          level: 'error',
          code: 'memory_crashed',
          message: `The memory's thread failed and was started again: ${errorMessage(cause)}.`,
        })),
  };
}
