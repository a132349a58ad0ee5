import type { HookEntryConfig, HooksConfig } from '../../config/mergeConfig.ts';
import type { HookOrigin } from './operatorHookTypes.ts';

export type { HookEntryConfig, HooksConfig } from '../../config/mergeConfig.ts';

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
