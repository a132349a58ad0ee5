import { join } from 'node:path';
import { isPluginFolder } from '../discover/pluginFileNames.ts';
import { pluginFolderName } from '../pluginFolderName.ts';

const plainId = /^[a-z0-9](?:[\w.-]{0,62}[a-z0-9])?$/iu;
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;

/** Where a plugin is installed: below `plugins` of the home, by its id where that makes a safe folder name. Pure. */
export function installFolder(home: string, id: string): string {
  const isPlain = plainId.test(id) && !deviceName.test(id) && isPluginFolder(id);
  return join(home, 'plugins', isPlain ? id : pluginFolderName(id));
}
