import { basename, join, resolve } from 'node:path';
import { isRecord, parseJson } from '../../base/json.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { FileSystem } from '../../host/ports.ts';
import { manifestFileName } from '../manifest/parseManifest.ts';
import { openClawVersion } from '../openclaw/openClawVersion.ts';
import { errorDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginCandidate } from '../pluginTypes.ts';
import { checkCandidate } from './checkCandidate.ts';
import { checkHostVersion } from './checkHostVersion.ts';
import { allOf, nothing, problem, type Discovery, type PluginSearchPlace } from './discovery.ts';
import { isInside } from './isInside.ts';
import { planPackageEntries, type PackageEntry } from './planPackageEntries.ts';
import { builtEntries, indexFiles, isTypeScript } from './pluginFileNames.ts';

/** The code of the note that a package of the home folder is TypeScript alone. */
export const notCompiled = 'plugin_not_compiled';

const maxPackageJsonBytes = 1_000_000;

/** The plugins of one folder: those that its package.json names, else its index file. */
export async function scanPluginFolder(
  fs: FileSystem,
  rootDir: string,
  place: PluginSearchPlace,
  ownUid: number | undefined,
): Promise<Discovery> {
  const packageJson = await readPackageJson(fs, rootDir);
  const base = describeFolder(rootDir, place, packageJson);
  const plan = planPackageEntries(packageJson.value, basename(rootDir));
  if (plan.kind === 'invalid') {
    return problem(errorDiagnostic('plugin_package_invalid', plan.message, { source: packageJson.path }));
  }
  if (plan.kind === 'entries') {
    const found: Discovery[] = [];
    for (const entry of plan.entries) found.push(await packageEntry(fs, base, entry, ownUid));
    return allOf(found);
  }
  for (const name of indexFiles) {
    const source = join(rootDir, name);
    if ((await fs.stat(source))?.kind === 'file') {
      return await checkCandidate(fs, { ...base, source, idHint: basename(rootDir) }, ownUid);
    }
  }
  return await withoutEntry(fs, rootDir);
}

/** Whether the folder's package.json speaks of OpenClaw plugins, right or wrong. */
export async function namesEntries(fs: FileSystem, rootDir: string): Promise<boolean> {
  const { value } = await readPackageJson(fs, rootDir);
  return planPackageEntries(value, basename(rootDir)).kind !== 'none';
}

async function withoutEntry(fs: FileSystem, rootDir: string): Promise<Discovery> {
  const manifest = join(rootDir, manifestFileName);
  if ((await fs.stat(manifest)) === undefined) return nothing;
  const message = `plugin has a manifest but no entry file: ${rootDir}`;
  const hint = `Add ${indexFiles.join(', ')}, or name the entry in package.json openclaw.extensions.`;
  return problem(errorDiagnostic('plugin_entry_missing', message, { source: manifest, hint }));
}

type FolderFacts = Omit<PluginCandidate, 'source' | 'idHint'>;

function describeFolder(rootDir: string, place: PluginSearchPlace, packageJson: PackageJson): FolderFacts {
  const version = isRecord(packageJson.value) ? packageJson.value['version'] : undefined;
  const host = checkHostVersion(packageJson.value, openClawVersion);
  const odd = [...packageJson.odd, ...(host.ok ? host.odd : [])];
  return {
    ...place,
    rootDir,
    isLooseFile: false,
    notes: odd.map((each) => warnDiagnostic('plugin_package_odd', each, { source: packageJson.path })),
    ...(typeof version === 'string' ? { version } : {}),
    ...(host.ok ? {} : { versionProblem: host.message }),
  };
}

async function packageEntry(
  fs: FileSystem,
  base: FolderFacts,
  entry: PackageEntry,
  ownUid: number | undefined,
): Promise<Discovery> {
  const source = join(base.rootDir, 'package.json');
  const declared = entry.runtimePath === undefined ? [entry.path] : [entry.path, entry.runtimePath];
  const outside = declared.find((path) => !isInside(base.rootDir, resolve(base.rootDir, path)));
  if (outside !== undefined) {
    const message = `extension entry escapes package directory: ${outside}`;
    return problem(errorDiagnostic('plugin_entry_escapes', message, { source }));
  }
  for (const path of entryPaths(base, entry)) {
    const file = resolve(base.rootDir, path);
    if ((await fs.stat(file))?.kind !== 'file') continue;
    const notes = [...(base.notes ?? []), ...noteUncompiled(base, path, source)];
    const { idHint, entryName } = entry;
    const own = { source: file, idHint, notes, ...(entryName === undefined ? {} : { entryName }) };
    return await checkCandidate(fs, { ...base, ...own }, ownUid);
  }
  const message = `extension entry not found: ${entry.path}`;
  const hint = isTypeScript(entry.path) ? 'Correct the path in package.json.' : 'Build the plugin first.';
  return problem(errorDiagnostic('plugin_entry_not_found', message, { source, hint }));
}

/** In the order they are tried. The user's own places prefer what was built, a workspace what is being written. */
function entryPaths({ origin }: FolderFacts, { path, runtimePath }: PackageEntry): readonly string[] {
  const compiled = runtimePath === undefined ? [] : [runtimePath];
  const built = builtEntries(path);
  return origin === 'global' || origin === 'config'
    ? [...compiled, ...built, path]
    : [...compiled, path, ...built];
}

/** Upstream refuses such packages; here they load with a warning. */
function noteUncompiled({ origin }: FolderFacts, path: string, source: string): readonly Diagnostic[] {
  if (origin !== 'global' || !isTypeScript(path)) return [];
  const expected = builtEntries(path)
    .map((each) => `./${each}`)
    .join(', ');
  const message = `installed plugin package requires compiled runtime output for TypeScript entry ${path}: expected ${expected}; the TypeScript is loaded instead`;
  return [warnDiagnostic(notCompiled, message, { source })];
}

interface PackageJson {
  readonly path: string;
  /** Undefined where there is none or where it can't be read; `odd` says which. */
  readonly value: unknown;
  readonly odd: readonly string[];
}

async function readPackageJson(fs: FileSystem, rootDir: string): Promise<PackageJson> {
  const path = join(rootDir, 'package.json');
  const known = await fs.stat(path);
  if (known?.kind !== 'file') return { path, value: undefined, odd: [] };
  if (known.size > maxPackageJsonBytes) {
    const odd = `package.json has ${known.size} bytes and is ignored; the limit is ${maxPackageJsonBytes}`;
    return { path, value: undefined, odd: [odd] };
  }
  const value = parseJson((await fs.readText(path, maxPackageJsonBytes)).replace(/^\uFEFF/u, ''));
  const odd = isRecord(value) ? [] : ['package.json is not a JSON object and is ignored'];
  return { path, value, odd };
}
