import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Log } from '../host/ports.ts';

/** What went wrong while plugins ran. */
export interface Reports {
  readonly report: (diagnostic: Diagnostic) => void;
  /** All, oldest first. */
  list(): readonly Diagnostic[];
  of(pluginId: string): readonly Diagnostic[];
  /** Forgets what a plugin did: a new version of it starts clean. */
  forget(pluginId: string): void;
}

const maxPerPlugin = 50;

/** Keeps each different report once, at most 50 for a plugin, and logs it; `added` is called for each that was kept. */
export function createReports(log: Log, added: () => void): Reports {
  let kept: readonly Diagnostic[] = [];
  return {
    report(diagnostic) {
      const { pluginId, code, message, level } = diagnostic;
      const own = kept.filter((each) => each.pluginId === pluginId);
      if (own.length >= maxPerPlugin || own.some((each) => each.code === code && each.message === message))
        return;
      kept = [...kept, diagnostic];
      log.write(level, message);
      added();
    },
    list: () => kept,
    of: (pluginId) => kept.filter((each) => each.pluginId === pluginId),
    forget(pluginId) {
      kept = kept.filter((each) => each.pluginId !== pluginId);
    },
  };
}
