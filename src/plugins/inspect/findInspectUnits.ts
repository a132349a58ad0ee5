import { basename, dirname, join } from 'node:path';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { FileSystem } from '../../host/ports.ts';
import { discoverPlugins } from '../discover/discoverPlugins.ts';
import { indexFiles } from '../discover/pluginFileNames.ts';
import { loadManifest } from '../manifest/loadManifest.ts';
import { manifestFileName } from '../manifest/parseManifest.ts';
import { errorDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginCandidate } from '../pluginTypes.ts';
import { withoutOwners } from './withoutOwners.ts';

/** What is loaded together: one folder, with every entry that its package.json names, or one loose file. */
export interface InspectUnit {
  readonly loadPath: string;
  /** As far as manifests tell. */
  readonly ids: readonly string[];
  /** What a plugins folder would have against it. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds the plugins at a path. Reads files as data only. */
export async function findInspectUnits(
  fs: FileSystem,
  path: string,
): Promise<{ readonly units: readonly InspectUnit[]; readonly diagnostics: readonly Diagnostic[] }> {
  const loadPath = await pluginPathOf(fs, path);
  const places = { bundledDir: undefined, roots: [], globalDirs: [], loadPaths: [loadPath] };
  const found = await discoverPlugins(withoutOwners(fs), places);
  const strict = await discoverPlugins(fs, places);
  const known = new Set(found.diagnostics.map(({ message }) => message));
  const objections = strict.diagnostics.filter(({ message }) => !known.has(message));
  const groups = new Map<string, PluginCandidate[]>();
  for (const each of found.candidates) {
    const key = each.isLooseFile ? each.source : each.rootDir;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const units = await Promise.all(
    [...groups].map(async ([key, group]): Promise<InspectUnit> => {
      const sources = group.map(({ source }) => source);
      const own = objections.filter(({ source }) => source !== undefined && sources.includes(source));
      return { loadPath: key, ids: await idsOf(fs, group), diagnostics: own.map(softened) };
    }),
  );
  const isEmpty = units.length === 0 && found.diagnostics.length === 0;
  // The units bring these themselves.
  const covered = (source = ''): boolean => units.some((unit) => source.startsWith(join(unit.loadPath, '/')));
  const rest = found.diagnostics.filter(({ source }) => !covered(source));
  return { units, diagnostics: isEmpty ? [nothingFound(loadPath)] : rest };
}

/** A manifest, a package.json or an index file stands for the folder it lies in: the plugin may need its neighbours. */
async function pluginPathOf(fs: FileSystem, path: string): Promise<string> {
  const [name, folder] = [basename(path), dirname(path)];
  if ((await fs.stat(path))?.kind !== 'file') return path;
  if (name === manifestFileName || name === 'package.json') return folder;
  const isIndex = indexFiles.includes(name) && (await fs.stat(join(folder, manifestFileName))) !== undefined;
  return isIndex ? folder : path;
}

async function idsOf(fs: FileSystem, candidates: readonly PluginCandidate[]): Promise<readonly string[]> {
  const manifests = await Promise.all(candidates.map((candidate) => loadManifest(fs, candidate)));
  return [...new Set(manifests.flatMap((loaded) => (loaded.ok ? [loaded.manifest.id] : [])))];
}

function softened(diagnostic: Diagnostic): Diagnostic {
  const hint = 'It was loaded because you named it; from a plugins folder it would not be.';
  return { ...diagnostic, level: 'warn', hint };
}

function nothingFound(path: string): Diagnostic {
  const hint = `A plugin is a folder with ${manifestFileName} and an entry file: ${indexFiles.join(', ')}, or what package.json names in openclaw.extensions.`;
  return errorDiagnostic('plugin_none_found', `There is no plugin in ${path}.`, { source: path, hint });
}
