import { scanAsks } from '../consent/scanAsks.ts';
import type { PluginFile } from '../consent/readPluginFiles.ts';
import type { PluginAsks } from '../pluginTypes.ts';

/**
 * What a plugin is going to do, read from its text without running it. Whoever has an extension point may see what is said: tool
 * calls and answers hold it, and all of them get the session. Pure.
 */
export function scanDextoAsks(files: readonly PluginFile[]): PluginAsks {
  const { reaches } = scanAsks(files, { contractTools: [] });
  return { hooks: [], tools: [], conversation: true, reaches };
}
