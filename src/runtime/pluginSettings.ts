import { PincerError } from '../base/errors.ts';
import { userConfigPath, workspaceConfigPath } from '../config/configPaths.ts';
import { editConfigFile } from '../config/editConfigFile.ts';
import { loadConfig, type LoadedConfig } from '../config/loadConfig.ts';
import type { FileSystem } from '../host/ports.ts';
import type { PluginSettings } from '../plugins/pluginManager.ts';

/** What the user decides about plugins goes below `plugins` of the user's or the first workspace's config. */
export function createPluginSettings(
  fs: FileSystem,
  home: string,
  folders: () => readonly string[],
  config: {
    readonly last: () => LoadedConfig;
    /** Gets the config as it is after a change. */
    readonly changed: (config: LoadedConfig) => void;
  },
): PluginSettings {
  return {
    async set(path, value, scope) {
      const [first] = folders();
      if (scope === 'workspace' && first === undefined) {
        throw new PincerError('workspace_missing', 'No folder is open.', {
          hint: 'Set it for yourself instead.',
        });
      }
      const file =
        scope === 'workspace' && first !== undefined ? workspaceConfigPath(first) : userConfigPath(home);
      await editConfigFile(fs, file, ['plugins', ...path], value);
      const loaded = await loadConfig(fs, { home, folders: folders() }, config.last());
      config.changed(loaded);
      return loaded.config.plugins;
    },
  };
}
