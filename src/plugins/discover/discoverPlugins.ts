import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { userHomeOf } from '../../config/configPaths.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { DirectoryEntry, FileSystem } from '../../host/ports.ts';
import { manifestFileName } from '../manifest/parseManifest.ts';
import { errorDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginCandidate, PluginOrigin } from '../pluginTypes.ts';
import { checkCandidate } from './checkCandidate.ts';
import { allOf, nothing, problem, type Discovery, type PluginSearchPlace } from './discovery.ts';
import { baseName, isPluginFile, isPluginFolder } from './pluginFileNames.ts';
import { namesEntries, scanPluginFolder } from './scanPluginFolder.ts';

export type { Discovery } from './discovery.ts';

/** Where to look. Folders are absolute; those that don't exist are fine. */
export interface PluginPlaces {
  readonly bundledDir: string | undefined;
  /** The workspace folders; each may hold `.pincer/plugins` and `.openclaw/extensions`. */
  readonly roots: readonly string[];
  readonly globalDirs: readonly string[];
  /** Files, plugin folders or folders of plugins that the user's configuration names: absolute, or from `~/`. */
  readonly loadPaths: readonly string[];
  /** What `~` stands for; default: the home folder of the user that this process runs as. */
  readonly homeDir?: string;
}

/** `home` is `~/.pincer` or what stands for it. Pure. */
export function placesOf(
  { bundledDir, home }: Pick<PluginPlaces, 'bundledDir'> & { readonly home: string },
  roots: readonly string[],
  loadPaths: readonly string[],
): PluginPlaces {
  const homeDir = userHomeOf(home);
  const globalDirs = [join(home, 'plugins'), join(homeDir, '.openclaw', 'extensions')];
  return { bundledDir, globalDirs, roots, loadPaths, homeDir };
}

/**
 * Finds plugins, in the order they register: bundled, workspace, global, configured (OpenClaw plugin architecture, Plugin
 * Lifecycle). Reads directory listings and package.json files as data; no plugin code runs. `ownUid` is the user that this process
 * runs as.
 */
export async function discoverPlugins(
  fs: FileSystem,
  places: PluginPlaces,
  ownUid: number | undefined = process.getuid?.(),
): Promise<Discovery> {
  const scan: Scan = { fs, ownUid };
  const found: Discovery[] = [];
  if (places.bundledDir !== undefined)
    found.push(await scanFolder(scan, places.bundledDir, { origin: 'bundled' }));
  for (const workspaceDir of places.roots) {
    for (const folder of ['.pincer/plugins', '.openclaw/extensions']) {
      found.push(await scanFolder(scan, join(workspaceDir, folder), { origin: 'workspace', workspaceDir }));
    }
  }
  for (const folder of places.globalDirs) found.push(await scanFolder(scan, folder, { origin: 'global' }));
  for (const path of places.loadPaths)
    found.push(await guarded(path, () => scanLoadPath(scan, path, places.homeDir ?? homedir())));
  return await withoutRepeats(fs, allOf(found));
}

interface Scan {
  readonly fs: FileSystem;
  readonly ownUid: number | undefined;
}

async function scanFolder(scan: Scan, folder: string, place: PluginSearchPlace): Promise<Discovery> {
  let entries: readonly DirectoryEntry[];
  try {
    entries = await scan.fs.readDirectory(folder);
  } catch (error) {
    if (error instanceof PincerError && error.code === 'io_not_found') return nothing;
    const message = `failed to read extensions dir: ${folder} (${errorMessage(error)})`;
    return problem(warnDiagnostic('plugin_folder_unreadable', message, { source: folder }));
  }
  const isShared = await liesBesideAgentFile(scan.fs, folder);
  const found: Discovery[] = [];
  for (const { name } of entries) {
    const path = join(folder, name);
    found.push(
      await guarded(path, async () =>
        isShared && !(await saysOpenClaw(scan.fs, path)) ? nothing : await scanEntry(scan, path, place),
      ),
    );
  }
  return allOf(found);
}

/** Plugins of an agent file, and what they import, lie in the folder `plugins` beside it (Dexto plugin specification, File Structure). */
async function liesBesideAgentFile(fs: FileSystem, folder: string): Promise<boolean> {
  return (await fs.stat(join(folder, '..', 'agent.yml')))?.kind === 'file';
}

/** Whether a file or folder says of itself that it is an OpenClaw plugin. */
async function saysOpenClaw(fs: FileSystem, path: string): Promise<boolean> {
  const isFolder = (await fs.stat(path))?.kind === 'directory';
  const folder = isFolder ? path : dirname(path);
  if ((await fs.stat(join(folder, manifestFileName))) !== undefined) return true;
  return isFolder && (await namesEntries(fs, path));
}

/** One entry of a plugins folder: a loose file, a plugin folder, or neither. */
async function scanEntry(scan: Scan, path: string, place: PluginSearchPlace): Promise<Discovery> {
  const kind = (await scan.fs.stat(path))?.kind;
  if (kind === 'file' && isPluginFile(basename(path))) return await looseFile(scan, path, place);
  if (kind === 'directory' && isPluginFolder(basename(path)))
    return await scanPluginFolder(scan.fs, path, place, scan.ownUid);
  return nothing;
}

/**
 * Threat: this process may run in a cloned repository. A relative path would then lead to code of that repository, which
 * would count as named by the user and run without a question.
 */
async function scanLoadPath(scan: Scan, named: string, homeDir: string): Promise<Discovery> {
  const path = /^~(?:[\\/]|$)/u.test(named) ? join(homeDir, named.slice(1)) : named;
  if (!isAbsolute(path)) return problem(notAbsolute(named));
  return await scanAbsolutePath(scan, resolve(path));
}

function notAbsolute(path: string): Diagnostic {
  const hint =
    'Write it in full in plugins.load.paths of your config, or from your home folder: ~/my-plugins.';
  return errorDiagnostic('plugin_path_not_absolute', `plugin path is not absolute: ${path}`, { hint });
}

async function scanAbsolutePath(scan: Scan, path: string): Promise<Discovery> {
  const place: PluginSearchPlace = { origin: 'config' };
  const kind = (await scan.fs.stat(path))?.kind;
  if (kind === undefined) {
    return problem(
      errorDiagnostic('plugin_path_not_found', `plugin path not found: ${path}`, {
        source: path,
        hint: 'Correct plugins.load.paths in your config.',
      }),
    );
  }
  if (kind === 'directory') {
    const asPlugin = await scanPluginFolder(scan.fs, path, place, scan.ownUid);
    const isPlugin = asPlugin.candidates.length > 0 || asPlugin.diagnostics.length > 0;
    return isPlugin ? asPlugin : await scanFolder(scan, path, place);
  }
  if (kind === 'file' && isPluginFile(basename(path))) return await looseFile(scan, path, place);
  const message = `plugin path is not a supported file: ${path}`;
  return problem(errorDiagnostic('plugin_path_unsupported', message, { source: path }));
}

async function looseFile(scan: Scan, source: string, place: PluginSearchPlace): Promise<Discovery> {
  const rootDir = resolve(source, '..');
  const idHint = baseName(basename(source));
  return await checkCandidate(scan.fs, { ...place, rootDir, source, idHint, isLooseFile: true }, scan.ownUid);
}

/** One plugin that can't be read hides no other. */
async function guarded(path: string, scan: () => Promise<Discovery>): Promise<Discovery> {
  try {
    return await scan();
  } catch (error) {
    const message = `blocked plugin candidate: cannot stat path (${path}): ${errorMessage(error)}`;
    return problem(warnDiagnostic('plugin_candidate_blocked', message, { source: path }));
  }
}

/** Of places that lead to the same file, which one counts. */
const trust: readonly PluginOrigin[] = ['config', 'bundled', 'global', 'workspace'];

/**
 * A file that several places lead to counts once. Threat: a repository links to a plugin of the user's to have it count as
 * the workspace's, which would wait for consent; so the user's own place comes first.
 */
async function withoutRepeats(fs: FileSystem, { candidates, diagnostics }: Discovery): Promise<Discovery> {
  const kept = new Map<string, PluginCandidate>();
  for (const each of candidates) {
    const file = await fs.realpath(each.source).catch(() => each.source);
    const known = kept.get(file);
    if (known === undefined || trust.indexOf(each.origin) < trust.indexOf(known.origin)) kept.set(file, each);
  }
  const all = new Set(kept.values());
  return { candidates: candidates.filter((each) => all.has(each)), diagnostics };
}
