import { isPluginFolder } from '../discover/pluginFileNames.ts';
import { isReservedId } from '../manifest/isReservedId.ts';

const plainId = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/u;
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/u;
const maxLength = 50;

/**
 * What is wrong with the id of a new plugin, for people; undefined where it is fine. `taken` are ids and tool names that are
 * in use. Pure.
 */
export function checkPluginId(id: string, taken: readonly string[] = []): string | undefined {
  if (id === '') return 'A plugin needs an id.';
  if (id.length > maxLength) return `An id has at most ${String(maxLength)} characters.`;
  if (!plainId.test(id)) {
    return 'An id has lowercase letters, digits and single hyphens, and begins with a letter: my-plugin.';
  }
  if (isReservedId(id)) return `The name ${id} is kept for the program itself.`;
  if (deviceName.test(id) || !isPluginFolder(id))
    return `A folder named ${id} would not be searched for plugins.`;
  if (taken.includes(id)) return `The name ${id} is taken.`;
  return undefined;
}
