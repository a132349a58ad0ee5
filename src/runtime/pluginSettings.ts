import { PincerError } from '../base/errors.ts';
import { userConfigPath, workspaceConfigPath } from '../config/configPaths.ts';
import { editConfigFile } from '../config/editConfigFile.ts';
import { loadConfig, type LoadedConfig } from '../config/loadConfig.ts';
import type { FileSystem } from '../host/ports.ts';
import type { PluginSettings } from '../plugins/pluginManager.ts';

/** Where switching a plugin is written: `plugins.entries.<id>.enabled` of the user's or the workspace's config. */
export function createPluginSettings(
  fs: FileSystem,
  home: string,
  folders: () => readonly string[],
  lastConfig: () => LoadedConfig,
): PluginSettings {
  return {
    async setEnabled(id, enabled, scope) {
      const [first] = folders();
      if (scope === 'workspace' && first === undefined) {
        throw new PincerError('workspace_missing', 'No folder is open.', {
          hint: 'Switch the plugin for yourself instead.',
        });
      }
      const file =
        scope === 'workspace' && first !== undefined ? workspaceConfigPath(first) : userConfigPath(home);
      await editConfigFile(fs, file, ['plugins', 'entries', id, 'enabled'], enabled);
      return (await loadConfig(fs, { home, folders: folders() }, lastConfig())).config.plugins;
    },
  };
}
