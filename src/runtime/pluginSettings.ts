import { PincerError } from '../base/errors.ts';
import { userConfigPath, workspaceConfigPath } from '../config/configPaths.ts';
import { editConfigFile } from '../config/editConfigFile.ts';
import type { LoadedConfig } from '../config/loadConfig.ts';
import type { FileSystem } from '../host/ports.ts';
import type { PluginSettings } from '../plugins/pluginManager.ts';

/** What the user decides about plugins goes below `plugins` of the user's or the first workspace's config. */
export function createPluginSettings(
  fs: FileSystem,
  home: string,
  folders: () => readonly string[],
  /** Reads all config files again; what it gives holds from then on. */
  readConfig: () => Promise<LoadedConfig>,
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
      return (await readConfig()).config.plugins;
    },
  };
}
