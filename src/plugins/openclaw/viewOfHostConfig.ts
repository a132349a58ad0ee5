import { isRecord } from '../../base/json.ts';
import type { PluginEntryConfig } from '../pluginTypes.ts';

/**
 * The configuration as one plugin sees it: upstream's shape, with the plugin's own entry and no other's. Many plugins read their settings
 * here instead of from `api.pluginConfig`. A copy, which the plugin may change. Pure.
 */
export function viewOfHostConfig(
  hostConfig: Readonly<Record<string, unknown>>,
  own: {
    readonly id: string;
    readonly entry: PluginEntryConfig;
    /** Checked, with defaults and secrets filled in. */
    readonly pluginConfig: Readonly<Record<string, unknown>>;
    /** The settings of its own channels, by their ids. */
    readonly channels?: Readonly<Record<string, unknown>>;
  },
): Readonly<Record<string, unknown>> {
  const { id, entry, pluginConfig, channels = {} } = own;
  const { plugins } = hostConfig;
  return structuredClone({
    ...hostConfig,
    ...(Object.keys(channels).length === 0 ? {} : { channels }),
    plugins: {
      enabled: true,
      ...(isRecord(plugins) ? plugins : {}),
      entries: { [id]: { ...entry, enabled: true, config: pluginConfig } },
    },
  });
}
