import type { FileSystem } from '../../host/ports.ts';
import { discoverPlugins } from '../discover/discoverPlugins.ts';
import { loadManifest } from '../manifest/loadManifest.ts';
import type { PluginManifest } from '../pluginTypes.ts';
import { notInstallable } from './installErrors.ts';

export interface StagedPlugin {
  readonly manifest: PluginManifest;
  /** The manifest's, else that of package.json. */
  readonly version?: string;
}

/**
 * The plugin in a folder, found as it would be found when it is loaded. `source` is what messages name instead of the folder.
 * @throws PincerError `plugin_not_installable`
 */
export async function readStagedPlugin(
  fs: FileSystem,
  staged: string,
  source: string,
): Promise<StagedPlugin> {
  const places = { bundledDir: undefined, roots: [], globalDirs: [], loadPaths: [staged] };
  const { candidates, diagnostics } = await discoverPlugins(fs, places);
  const [candidate] = candidates;
  const [problem] = diagnostics;
  const say = (text: string): string => text.replaceAll(staged, source);
  if (candidate?.rootDir !== staged) {
    if (candidates.length > 0)
      throw notInstallable(`${source} is a folder of plugins.`, 'Name one of the plugins in it.');
    if (problem !== undefined) throw notInstallable(say(problem.message), problem.hint);
    throw notInstallable(
      `There is no plugin in ${source}.`,
      'It needs an openclaw.plugin.json and an entry file.',
    );
  }
  const loaded = await loadManifest(fs, candidate);
  if (!loaded.ok) throw notInstallable(say(loaded.diagnostic.message), loaded.diagnostic.hint);
  const { manifest } = loaded;
  const version = manifest.version ?? candidate.version;
  return { manifest, ...(version === undefined ? {} : { version }) };
}
