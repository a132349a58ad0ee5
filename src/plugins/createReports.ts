import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Log } from '../host/ports.ts';

/** What went wrong while plugins ran. */
export interface Reports {
  readonly report: (diagnostic: Diagnostic) => void;
  /** All, oldest first. */
  list(): readonly Diagnostic[];
  of(pluginId: string): readonly Diagnostic[];
  /**
   * Forgets what a plugin did: a new version of it starts clean. What its own code says may quote the secrets in its settings: `redact`
   * takes them out of what is reported from now on.
   */
  forget(pluginId: string, redact?: (text: string) => string): void;
}

const maxPerPlugin = 50;

/** Keeps each different report once, at most 50 for a plugin, and logs it; `added` is called for each that was kept. */
export function createReports(log: Log, added: () => void): Reports {
  let kept: readonly Diagnostic[] = [];
  const redactors = new Map<string | undefined, (text: string) => string>();
  return {
    report(given) {
      const { pluginId, code, level } = given;
      const message = redactors.get(pluginId)?.(given.message) ?? given.message;
      const own = kept.filter((each) => each.pluginId === pluginId);
      if (own.length >= maxPerPlugin || own.some((each) => each.code === code && each.message === message))
        return;
      kept = [...kept, { ...given, message }];
      log.write(level, message);
      added();
    },
    list: () => kept,
    of: (pluginId) => kept.filter((each) => each.pluginId === pluginId),
    forget(pluginId, redact) {
      kept = kept.filter((each) => each.pluginId !== pluginId);
      if (redact !== undefined) redactors.set(pluginId, redact);
    },
  };
}
