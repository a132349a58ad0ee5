// Threat: a repository ships a link instead of a plugin file, or a plugin folder that anybody may write to. What would load
// from outside the plugin's own folder is no candidate; what is refused is named.
import { basename, extname, join, resolve } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { DirectoryEntry, FileSystem } from '../../host/ports.ts';
import { errorDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginCandidate, PluginOrigin } from '../pluginTypes.ts';
import { isInside } from './isInside.ts';
import { planPackageEntries, type PackageEntry } from './planPackageEntries.ts';
import { baseName, indexFiles, isPluginFile, isPluginFolder } from './pluginFileNames.ts';

/** Where to look. All paths are absolute; folders that don't exist are fine. */
export interface PluginPlaces {
  readonly bundledDir: string | undefined;
  /** The workspace folders; each may hold `.pincer/plugins` and `.openclaw/extensions`. */
  readonly roots: readonly string[];
  readonly globalDirs: readonly string[];
  /** Files, plugin folders or folders of plugins that the user's configuration names. */
  readonly loadPaths: readonly string[];
}

export interface Discovery {
  readonly candidates: readonly PluginCandidate[];
  readonly diagnostics: readonly Diagnostic[];
}

const maxPackageJsonBytes = 1_000_000;

/**
 * Finds plugins, in the order they register: bundled, workspace, global, configured (seed 000, 1). Reads directory listings
 * and package.json files as data; no plugin code runs.
 */
export async function discoverPlugins(fs: FileSystem, places: PluginPlaces): Promise<Discovery> {
  const found: Discovery[] = [];
  if (places.bundledDir !== undefined)
    found.push(await scanFolder(fs, places.bundledDir, { origin: 'bundled' }));
  for (const workspaceDir of places.roots) {
    for (const folder of ['.pincer/plugins', '.openclaw/extensions']) {
      found.push(await scanFolder(fs, join(workspaceDir, folder), { origin: 'workspace', workspaceDir }));
    }
  }
  for (const folder of places.globalDirs) found.push(await scanFolder(fs, folder, { origin: 'global' }));
  for (const path of places.loadPaths) found.push(await guarded(path, () => scanLoadPath(fs, resolve(path))));
  return withoutRepeats(all(found));
}

interface Place {
  readonly origin: PluginOrigin;
  readonly workspaceDir?: string;
}

async function scanFolder(fs: FileSystem, folder: string, place: Place): Promise<Discovery> {
  let entries: readonly DirectoryEntry[];
  try {
    entries = await fs.readDirectory(folder);
  } catch (error) {
    if (error instanceof PincerError && error.code === 'io_not_found') return nothing;
    const message = `failed to read extensions dir: ${folder} (${errorMessage(error)})`;
    return problem(warnDiagnostic('plugin_folder_unreadable', message, { source: folder }));
  }
  const found: Discovery[] = [];
  for (const { name } of entries) {
    const path = join(folder, name);
    found.push(await guarded(path, () => scanEntry(fs, path, place)));
  }
  return all(found);
}

/** One entry of a plugins folder: a loose file, a plugin folder, or neither. */
async function scanEntry(fs: FileSystem, path: string, place: Place): Promise<Discovery> {
  const kind = (await fs.stat(path))?.kind;
  if (kind === 'file' && isPluginFile(basename(path))) return await looseFile(fs, path, place);
  if (kind === 'directory' && isPluginFolder(basename(path))) return await scanPluginFolder(fs, path, place);
  return nothing;
}

async function scanLoadPath(fs: FileSystem, path: string): Promise<Discovery> {
  const place: Place = { origin: 'config' };
  const kind = (await fs.stat(path))?.kind;
  if (kind === undefined) {
    return problem(
      errorDiagnostic('plugin_path_not_found', `plugin path not found: ${path}`, { source: path }),
    );
  }
  if (kind === 'directory') {
    const asPlugin = await scanPluginFolder(fs, path, place);
    const isPlugin = asPlugin.candidates.length > 0 || asPlugin.diagnostics.length > 0;
    return isPlugin ? asPlugin : await scanFolder(fs, path, place);
  }
  if (kind === 'file' && isPluginFile(basename(path))) return await looseFile(fs, path, place);
  const message = `plugin path is not a supported file: ${path}`;
  return problem(errorDiagnostic('plugin_path_unsupported', message, { source: path }));
}

async function looseFile(fs: FileSystem, source: string, place: Place): Promise<Discovery> {
  const rootDir = resolve(source, '..');
  return await checked(fs, {
    ...place,
    rootDir,
    source,
    idHint: baseName(basename(source)),
    isLooseFile: true,
  });
}

async function scanPluginFolder(fs: FileSystem, rootDir: string, place: Place): Promise<Discovery> {
  const packageJson = await readPackageJson(fs, rootDir);
  const version = versionOf(packageJson);
  const base = { ...place, rootDir, isLooseFile: false, ...(version === undefined ? {} : { version }) };
  const plan = planPackageEntries(packageJson, basename(rootDir));
  if (plan.kind === 'invalid') {
    return problem(
      errorDiagnostic('plugin_package_invalid', plan.message, { source: join(rootDir, 'package.json') }),
    );
  }
  if (plan.kind === 'entries') {
    const found: Discovery[] = [];
    for (const entry of plan.entries) found.push(await packageEntry(fs, base, entry));
    return all(found);
  }
  for (const name of indexFiles) {
    const source = join(rootDir, name);
    if ((await fs.stat(source))?.kind === 'file') {
      return await checked(fs, { ...base, source, idHint: basename(rootDir) });
    }
  }
  const manifest = join(rootDir, 'openclaw.plugin.json');
  if ((await fs.stat(manifest)) === undefined) return nothing;
  const message = `plugin has a manifest but no entry file: ${rootDir}`;
  const hint = `Add ${indexFiles.join(', ')}, or name the entry in package.json openclaw.extensions.`;
  return problem(errorDiagnostic('plugin_entry_missing', message, { source: manifest, hint }));
}

async function packageEntry(
  fs: FileSystem,
  base: Omit<PluginCandidate, 'source' | 'idHint'>,
  entry: PackageEntry,
): Promise<Discovery> {
  const source = join(base.rootDir, 'package.json');
  const paths = [entry.runtimePath, entry.path].filter((path) => path !== undefined);
  for (const path of paths) {
    const file = resolve(base.rootDir, path);
    if (!isInside(base.rootDir, file)) {
      const message = `extension entry escapes package directory: ${path}`;
      return problem(errorDiagnostic('plugin_entry_escapes', message, { source }));
    }
    if ((await fs.stat(file))?.kind === 'file') {
      return await checked(fs, { ...base, source: file, idHint: entry.idHint });
    }
  }
  return problem(
    errorDiagnostic('plugin_entry_not_found', `extension entry not found: ${entry.path}`, {
      source,
      hint: extname(entry.path) === '.js' ? 'Build the plugin first.' : 'Correct the path in package.json.',
    }),
  );
}

/** Refuses what really lies elsewhere, and folders of the user's own that others may write to. */
async function checked(fs: FileSystem, candidate: PluginCandidate): Promise<Discovery> {
  const { rootDir, source, origin } = candidate;
  const [realRoot, realSource] = [await fs.realpath(rootDir), await fs.realpath(source)];
  if (!isInside(realRoot, realSource)) {
    return blocked(source, `source escapes plugin root (${source} -> ${realSource}; root=${realRoot})`);
  }
  const mode = (await fs.stat(rootDir))?.mode;
  // A workspace plugin is guarded by its content hash instead: shared and mounted folders often are world-writable.
  const ownPlace = origin === 'global' || origin === 'config';
  if (ownPlace && mode !== undefined && (mode & 0o002) !== 0) {
    return blocked(source, `world-writable path (${rootDir}, mode=${mode.toString(8).padStart(4, '0')})`);
  }
  return { candidates: [candidate], diagnostics: [] };
}

async function readPackageJson(fs: FileSystem, rootDir: string): Promise<unknown> {
  const path = join(rootDir, 'package.json');
  const known = await fs.stat(path);
  if (known?.kind !== 'file' || known.size > maxPackageJsonBytes) return undefined;
  return parseJson(await fs.readText(path, maxPackageJsonBytes));
}

function versionOf(packageJson: unknown): string | undefined {
  const version = isRecord(packageJson) ? packageJson['version'] : undefined;
  return typeof version === 'string' ? version : undefined;
}

/** One plugin that can't be read hides no other. */
async function guarded(path: string, scan: () => Promise<Discovery>): Promise<Discovery> {
  try {
    return await scan();
  } catch (error) {
    const message = `blocked plugin candidate: cannot read path (${path}): ${errorMessage(error)}`;
    return problem(warnDiagnostic('plugin_candidate_blocked', message, { source: path }));
  }
}

const nothing: Discovery = { candidates: [], diagnostics: [] };

function problem(diagnostic: Diagnostic): Discovery {
  return { candidates: [], diagnostics: [diagnostic] };
}

function blocked(source: string, why: string): Discovery {
  return problem(warnDiagnostic('plugin_candidate_blocked', `blocked plugin candidate: ${why}`, { source }));
}

function all(found: readonly Discovery[]): Discovery {
  return {
    candidates: found.flatMap((each) => each.candidates),
    diagnostics: found.flatMap((each) => each.diagnostics),
  };
}

/** A file that several places lead to counts for the first. */
function withoutRepeats({ candidates, diagnostics }: Discovery): Discovery {
  const kept = new Map<string, PluginCandidate>();
  for (const each of candidates) if (!kept.has(each.source)) kept.set(each.source, each);
  return { candidates: [...kept.values()], diagnostics };
}
