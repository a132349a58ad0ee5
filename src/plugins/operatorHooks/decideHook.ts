import { hookEntryOf, type HooksConfig } from './hookConfig.ts';
import type { HookDisabledBy, HookOrigin } from './operatorHookTypes.ts';

interface HookFacts {
  /** What counts for the hook's origin. */
  readonly config: HooksConfig;
  readonly trusted: boolean;
  /** Whether the user has agreed to run exactly these files; `not-needed` for the user's own hooks. */
  readonly consent: 'given' | 'never-enabled' | 'files-changed' | 'not-needed';
}

/** `reason` is one line for people; texts are upstream's where it has one. */
export type HookEnablement =
  | { readonly enabled: true; readonly reason: string }
  | { readonly enabled: false; readonly reason: string; readonly by: HookDisabledBy };

interface Subject {
  /** Key of its entry in the config. */
  readonly key: string;
  readonly origin: HookOrigin;
}

type Step = (hook: Subject, facts: HookFacts) => HookEnablement | undefined;

/** In this order; the first step that decides counts. */
const steps: readonly Step[] = [
  (_, { config }) =>
    config.enabled === false ? off('master-switch', 'hooks are switched off in config') : undefined,
  ({ key }, { config }) =>
    hookEntryOf(config, key).enabled === false ? off('entry', 'disabled in config') : undefined,
  (_, { config }) =>
    config.unreadable === true ? off('broken-config', 'your config can not be read') : undefined,
  (_, { trusted }) => (trusted ? undefined : off('trust', 'workspace is not trusted')),
  (_, { consent }) =>
    consent === 'never-enabled' ? off('consent', 'workspace hook (disabled by default)') : undefined,
  (_, { consent }) =>
    consent === 'files-changed'
      ? off('consent', 'workspace hook (its files have changed since you enabled it)')
      : undefined,
  (_, { consent }) => (consent === 'given' ? on('enabled by you') : undefined),
  ({ key }, { config }) =>
    Object.hasOwn(config.entries, key) ? on('enabled in config (hooks.internal.entries)') : undefined,
  (_, { config }) => (config.enabled === true ? on('enabled') : undefined),
  (_, { config }) =>
    config.load.extraDirs.some((each) => each.trim() !== '') ? on('enabled by extraDirs') : undefined,
];

/**
 * Whether a hook runs, and why. Workspace hooks run after the user's consent alone; the user's own ones run where
 * `hooks.internal` switches all on, names them, or names a folder of hooks (upstream's rule). Pure.
 */
export function decideHook(hook: Subject, facts: HookFacts): HookEnablement {
  for (const step of steps) {
    const decision = step(hook, facts);
    if (decision !== undefined) return decision;
  }
  return off('default', 'hooks are off: set hooks.internal.enabled, or name it in hooks.internal.entries');
}

function on(reason: string): HookEnablement {
  return { enabled: true, reason };
}

function off(by: HookDisabledBy, reason: string): HookEnablement {
  return { enabled: false, reason, by };
}
