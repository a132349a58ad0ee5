import { toDisposable, type Disposable } from '../base/disposable.ts';
import type { HookName } from './hookTypes.ts';

/** A handler of any hook; what it takes and returns is checked where it is called. */
export type AnyHookHandler = (event: never, context: never) => unknown;

/** One plugin listening to one hook. */
export interface HookRegistration {
  readonly hook: HookName;
  readonly pluginId: string;
  readonly handler: AnyHookHandler;
  /** Higher runs first; equal ones keep their order of registration. */
  readonly priority: number;
  /** What this handler has, in milliseconds (`resolveHookTimeout`); sync hooks ignore it. */
  readonly timeoutMs: number;
  readonly pluginConfig: Readonly<Record<string, unknown>>;
}

export interface HookRegistry {
  /** The same object counts once. */
  register(registration: HookRegistration): Disposable;
  /** All of a list, at once; disposing takes all of them out again. */
  registerAll(registrations: readonly HookRegistration[]): Disposable;
  /** In the order they run. The list never changes: a later registration makes a new one. */
  handlers(hook: HookName): readonly HookRegistration[];
}

const none: readonly HookRegistration[] = [];

/** Holds who listens to what; the order is computed once after each change, not for each call. */
export function createHookRegistry(): HookRegistry {
  const registered = new Map<HookName, Set<HookRegistration>>();
  const ordered = new Map<HookName, readonly HookRegistration[]>();

  const register = (registration: HookRegistration): Disposable => {
    const { hook } = registration;
    const all = registered.get(hook) ?? new Set();
    registered.set(hook, all.add(registration));
    ordered.delete(hook);
    return toDisposable(() => {
      all.delete(registration);
      ordered.delete(hook);
    });
  };

  return {
    register,
    registerAll(registrations) {
      const all = registrations.map(register);
      return toDisposable(() => {
        for (const each of all) each.dispose();
      });
    },
    handlers(hook) {
      const known = ordered.get(hook);
      if (known !== undefined) return known;
      const all = registered.get(hook);
      const list =
        all === undefined || all.size === 0 ? none : [...all].sort((a, b) => b.priority - a.priority);
      ordered.set(hook, list);
      return list;
    },
  };
}
