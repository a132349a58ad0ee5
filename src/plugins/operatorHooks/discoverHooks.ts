import { basename, isAbsolute, join, resolve } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { DirectoryEntry, FileSystem } from '../../host/ports.ts';
import { isInside } from '../discover/isInside.ts';
import { errorDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import type { HookCandidate, HookOrigin } from './operatorHookTypes.ts';
import { hookFileName } from './parseHookFile.ts';

/** Where to look. All paths are absolute; folders that don't exist are fine. */
export interface HookPlaces {
  /** The user's own folders of hooks; of two hooks with one name, the one in the later folder counts. */
  readonly managedDirs: readonly string[];
  /** The workspace folders; each may hold `hooks` and `.pincer/hooks`. */
  readonly roots: readonly string[];
  /** `hooks.internal.load.extraDirs` as written: absolute, or beginning with `~/`. */
  readonly extraDirs: readonly string[];
  /** What `~` stands for. */
  readonly homeDir: string;
}

interface HookDiscovery {
  readonly candidates: readonly HookCandidate[];
  readonly diagnostics: readonly Diagnostic[];
}

interface HookSource {
  readonly origin: HookOrigin;
  readonly workspaceDir?: string;
}

const nothing: HookDiscovery = { candidates: [], diagnostics: [] };
const maxPackageJsonBytes = 1_000_000;

/** Finds folders with a HOOK.md: configured, managed, workspace (upstream's order). Reads listings and package.json as data. */
export async function discoverHooks(fs: FileSystem, places: HookPlaces): Promise<HookDiscovery> {
  const found: HookDiscovery[] = [];
  for (const path of places.extraDirs) found.push(await scanExtraDir(fs, path, places.homeDir));
  for (const folder of places.managedDirs) found.push(await scanFolder(fs, folder, { origin: 'managed' }));
  for (const workspaceDir of places.roots) {
    for (const name of ['hooks', join('.pincer', 'hooks')]) {
      found.push(await scanFolder(fs, join(workspaceDir, name), { origin: 'workspace', workspaceDir }));
    }
  }
  return allOf(found);
}

async function scanExtraDir(fs: FileSystem, path: string, homeDir: string): Promise<HookDiscovery> {
  const trimmed = path.trim();
  if (trimmed === '') return nothing;
  const folder = trimmed.replace(/^~(?=$|[/\\])/u, () => homeDir);
  const hint = 'Correct hooks.internal.load.extraDirs in your config.';
  if (!isAbsolute(folder)) {
    const message = `hook folder must be absolute or begin with ~/: ${trimmed}`;
    return problem(errorDiagnostic('hook_folder_relative', message, { hint }));
  }
  if ((await statOf(fs, folder)) !== 'directory') {
    const message = `hook folder not found: ${folder}`;
    return problem(errorDiagnostic('hook_folder_not_found', message, { source: folder, hint }));
  }
  const isHook = (await statOf(fs, join(folder, hookFileName))) === 'file';
  return isHook
    ? { candidates: [{ origin: 'config', folder, rootDir: folder }], diagnostics: [] }
    : await scanFolder(fs, folder, { origin: 'config' });
}

async function scanFolder(fs: FileSystem, folder: string, place: HookSource): Promise<HookDiscovery> {
  let entries: readonly DirectoryEntry[];
  try {
    entries = await fs.readDirectory(folder);
  } catch (error) {
    const isMissing = error instanceof PincerError && error.code === 'io_not_found';
    // A workspace may keep a file of that name.
    if (isMissing || (await statOf(fs, folder)) === 'file') return nothing;
    const message = `failed to read hook folder: ${folder} (${errorMessage(error)})`;
    return problem(warnDiagnostic('hook_folder_unreadable', message, { source: folder }));
  }
  const found: HookDiscovery[] = [];
  for (const { name, kind } of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (name === 'node_modules' || name.startsWith('.')) continue;
    const path = join(folder, name);
    if (kind === 'symlink') found.push(await noteLink(fs, path));
    if (kind === 'directory') found.push(await scanEntry(fs, path, place));
  }
  return allOf(found);
}

/** What a link leads to may change without the link: as upstream, it is no hook. */
async function noteLink(fs: FileSystem, path: string): Promise<HookDiscovery> {
  if ((await statOf(fs, join(path, hookFileName))) === undefined) return nothing;
  const message = `blocked hook: its folder is a link (${path})`;
  const hint = 'Copy the folder, or name its real place in hooks.internal.load.extraDirs.';
  return problem(warnDiagnostic('hook_blocked', message, { source: path, hint }));
}

/** A hook, or a package that names the folders of its hooks in package.json `openclaw.hooks`. */
async function scanEntry(fs: FileSystem, path: string, place: HookSource): Promise<HookDiscovery> {
  const named = await packageHooks(fs, path);
  if (named.length === 0) {
    const isHook = (await statOf(fs, join(path, hookFileName))) !== undefined;
    return isHook ? { candidates: [{ ...place, folder: path, rootDir: path }], diagnostics: [] } : nothing;
  }
  const found: HookDiscovery[] = [];
  for (const relative of named) found.push(await packageHook(fs, path, relative, place));
  return allOf(found);
}

async function packageHook(
  fs: FileSystem,
  rootDir: string,
  relative: string,
  place: HookSource,
): Promise<HookDiscovery> {
  const source = join(rootDir, 'package.json');
  const folder = resolve(rootDir, relative);
  const real = await fs.realpath(folder).catch(() => folder);
  if (!isInside(rootDir, folder) || !isInside(await fs.realpath(rootDir), real)) {
    const message = `blocked hook: it lies outside of its package (${relative})`;
    return problem(errorDiagnostic('hook_blocked', message, { source }));
  }
  if ((await statOf(fs, join(folder, hookFileName))) === undefined) {
    const message = `hook package names ${relative}, which has no ${hookFileName}`;
    const hint = 'Correct openclaw.hooks in package.json.';
    return problem(errorDiagnostic('hook_not_found', message, { source, hint }));
  }
  return { candidates: [{ ...place, folder, rootDir }], diagnostics: [] };
}

async function packageHooks(fs: FileSystem, folder: string): Promise<readonly string[]> {
  const path = join(folder, 'package.json');
  if ((await statOf(fs, path)) !== 'file') return [];
  const text = await fs.readText(path, maxPackageJsonBytes).catch(() => '');
  const value = parseJson(text.replace(/^\uFEFF/u, ''));
  const openclaw = isRecord(value) && isRecord(value['openclaw']) ? value['openclaw'] : {};
  const hooks: readonly unknown[] = Array.isArray(openclaw['hooks']) ? openclaw['hooks'] : [];
  return hooks.flatMap((each) => (typeof each === 'string' && each.trim() !== '' ? [each.trim()] : []));
}

async function statOf(
  fs: FileSystem,
  path: string,
): Promise<'file' | 'directory' | 'symlink' | 'other' | undefined> {
  const stat = await fs.stat(path).catch(() => undefined);
  return stat?.kind;
}

function problem(diagnostic: Diagnostic): HookDiscovery {
  return { candidates: [], diagnostics: [diagnostic] };
}

function allOf(found: readonly HookDiscovery[]): HookDiscovery {
  return {
    candidates: found.flatMap((each) => each.candidates),
    diagnostics: found.flatMap((each) => each.diagnostics),
  };
}

/** The name of a hook whose HOOK.md says none. */
export function folderNameOf({ folder }: HookCandidate): string {
  return basename(folder);
}
