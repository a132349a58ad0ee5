import type { PluginEntryConfig } from '../pluginTypes.ts';

/**
 * The configuration as a plugin sees it (`api.config`): upstream's shape, with the plugin's own entry and no other's. Many
 * plugins read their settings here instead of from `api.pluginConfig`. Pure.
 */
export function viewOfHostConfig(
  hostConfig: Readonly<Record<string, unknown>>,
  own: {
    readonly id: string;
    readonly entry: PluginEntryConfig;
    /** Checked, with defaults and secrets filled in. */
    readonly pluginConfig: Readonly<Record<string, unknown>>;
    readonly workspaceDir: string | undefined;
  },
): Readonly<Record<string, unknown>> {
  const { id, entry, pluginConfig, workspaceDir } = own;
  const workspace = workspaceDir === undefined ? {} : { workspace: workspaceDir };
  return {
    agents: { defaults: workspace },
    ...hostConfig,
    plugins: { enabled: true, entries: { [id]: { ...entry, enabled: true, config: pluginConfig } } },
  };
}
