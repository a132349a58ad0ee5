import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Log } from '../../host/ports.ts';

/** What went wrong while hooks ran. */
interface HookReports {
  add(name: string, diagnostic: Diagnostic): void;
  of(name: string): readonly Diagnostic[];
  /** Forgets what a hook did: a new version of it starts clean. */
  forget(name: string): void;
}

const maxPerHook = 20;

/** Keeps each different report once, at most 20 for a hook, and logs it; `added` is called for each that was kept. */
export function createHookReports(log: Log, added: () => void): HookReports {
  const kept = new Map<string, readonly Diagnostic[]>();
  return {
    add(name, diagnostic) {
      const own = kept.get(name) ?? [];
      const { code, message, level } = diagnostic;
      const isKnown = own.some((each) => each.code === code && each.message === message);
      if (isKnown || own.length >= maxPerHook) return;
      kept.set(name, [...own, diagnostic]);
      log.write(level, message);
      added();
    },
    of: (name) => kept.get(name) ?? [],
    forget: (name) => void kept.delete(name),
  };
}
