import { isRecord } from './textHelpers.ts';
import type { OpenClawConfig } from './types/configTypes.ts';

/** `plugins.entries.<id>.config` of a configuration; undefined where it is no object. */
export function resolvePluginConfigObject(
  config: OpenClawConfig | undefined,
  pluginId: string,
): Record<string, unknown> | undefined {
  let value: unknown = config;
  for (const key of ['plugins', 'entries', pluginId, 'config']) {
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return isRecord(value) ? value : undefined;
}

/** The plugin's settings as they are now where there is a loader, and as they were at the start otherwise. */
export function resolveLivePluginConfigObject(
  loadConfig: (() => OpenClawConfig | undefined) | undefined,
  pluginId: string,
  atStart?: Record<string, unknown>,
): Record<string, unknown> | undefined {
  return typeof loadConfig === 'function' ? resolvePluginConfigObject(loadConfig(), pluginId) : atStart;
}

/** @throws Error naming `context` where there is no configuration */
export function requireRuntimeConfig<T>(config: T | undefined, context: string): T {
  if (config !== undefined) return config;
  throw new Error(`${context} needs the configuration: pass on the one that register or the tool was given.`);
}

/** False: flags of upstream's diagnostics can't be set here. */
export function isDiagnosticFlagEnabled(_flag: string, _config?: OpenClawConfig): boolean {
  return false;
}
