import type { HookOrigin } from './hookTypes.ts';

/** One hook's entry in the config: `hooks.internal.entries.<name>`. */
export interface HookEntryConfig {
  readonly enabled?: boolean | undefined;
  /** Settings for the handler, which finds them in `event.context.env`. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** `hooks.internal` of the config (seed 001; upstream's keys). */
export interface HooksConfig {
  /** False switches all off; true lets all run that may; undefined lets run what is named in `entries` or lies in `load`. */
  readonly enabled?: boolean | undefined;
  readonly entries: Readonly<Record<string, HookEntryConfig>>;
  readonly load: { readonly extraDirs: readonly string[] };
  /** What holds instead for hooks of the workspace: the user's settings, tightened by the workspace's. */
  readonly workspace?: Pick<HooksConfig, 'enabled' | 'entries'>;
  /** True while the user's own file can't be read: who knows what it forbids. */
  readonly unreadable?: boolean;
}

/** The settings that count for hooks of one origin. Pure. */
export function hooksConfigFor(config: HooksConfig, origin: HookOrigin): HooksConfig {
  if (origin !== 'workspace' || config.workspace === undefined) return config;
  const { enabled: _users, ...rest } = config;
  return { ...rest, ...config.workspace };
}

/** A hook's entry, empty where there is none; names such as `__proto__` find nothing. Pure. */
export function hookEntryOf(config: HooksConfig, key: string): HookEntryConfig {
  return Object.hasOwn(config.entries, key) ? (config.entries[key] ?? {}) : {};
}
