import type { HookName } from './hookMap.ts';
import { hookCatalog } from './hookCatalog.ts';

/** No handler may have more than ten minutes. */
export const maxHookTimeoutMs = 600_000;

/** Where a timeout may be set, strongest first. */
interface HookTimeouts {
  /** `plugins.entries.ID.hooks.timeouts` */
  readonly perHook?: Readonly<Record<string, number>>;
  /** `plugins.entries.ID.hooks.timeoutMs` */
  readonly perPlugin?: number;
  /** The third argument of `api.on`. */
  readonly option?: unknown;
}

/** The milliseconds a handler has. Values that are no positive whole number up to ten minutes don't count. */
export function resolveHookTimeout(hook: HookName, timeouts: HookTimeouts): number {
  const candidates = [timeouts.perHook?.[hook], timeouts.perPlugin, timeouts.option];
  return candidates.find(isHookTimeout) ?? hookCatalog[hook].timeoutMs ?? 0;
}

export function isHookTimeout(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maxHookTimeoutMs;
}
