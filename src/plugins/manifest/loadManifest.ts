import { join } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { FileSystem } from '../../host/ports.ts';
import { isInside } from '../discover/isInside.ts';
import { errorDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginCandidate, PluginManifest } from '../pluginTypes.ts';
import type { PlaceOf } from './manifestPlaces.ts';
import { manifestFileName, maxManifestBytes, parseManifest, type ParsedManifest } from './parseManifest.ts';

type LoadedManifest =
  | {
      readonly ok: true;
      readonly path: string;
      readonly manifest: PluginManifest;
      readonly placeOf: PlaceOf;
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly ok: false; readonly path: string; readonly diagnostic: Diagnostic };

/** Reads and checks the manifest of a candidate; never throws. Messages are upstream's. */
export async function loadManifest(fs: FileSystem, candidate: PluginCandidate): Promise<LoadedManifest> {
  const path = join(candidate.rootDir, manifestFileName);
  const failed = (
    message: string,
    at: { readonly line?: number; readonly column?: number } = {},
  ): LoadedManifest => ({
    ok: false,
    path,
    diagnostic: errorDiagnostic('plugin_manifest_invalid', message, {
      pluginId: candidate.idHint,
      source: path,
      line: 1,
      ...at,
    }),
  });
  try {
    if ((await fs.lstat(path)) === undefined) return failed(`plugin manifest not found: ${path}`);
    const [realRoot, realPath] = [await fs.realpath(candidate.rootDir), await fs.realpath(path)];
    if (!isInside(realRoot, realPath))
      return failed(`unsafe plugin manifest path: ${path} (it leads to ${realPath})`);
    const parsed = parseManifest(await fs.readFile(path, maxManifestBytes));
    if (!parsed.ok) return failed(parsed.message, knownPlace(parsed));
    return { ok: true, path, placeOf: parsed.placeOf, ...ofCandidate(candidate, path, parsed) };
  } catch (error) {
    const missing = error instanceof PincerError && error.code === 'io_not_found';
    return failed(
      missing
        ? `plugin manifest not found: ${path}`
        : `failed to parse plugin manifest: ${errorMessage(error)}`,
    );
  }
}

/** What is known of the place that a problem is about. */
function knownPlace({ line, column }: { readonly line?: number; readonly column?: number }): {
  readonly line?: number;
  readonly column?: number;
} {
  return { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
}

/** One manifest may describe several entries of a package; each is a plugin with an id of its own. */
function ofCandidate(
  { idHint, entryName }: PluginCandidate,
  source: string,
  { manifest, warnings, placeOf }: Extract<ParsedManifest, { ok: true }>,
): { readonly manifest: PluginManifest; readonly diagnostics: readonly Diagnostic[] } {
  const suffix = entryName === undefined ? '' : `/${entryName}`;
  const id = `${manifest.id}${suffix}`;
  const about = { pluginId: id, source };
  const odd = warnings.map(({ message, ...place }) =>
    warnDiagnostic('plugin_manifest_odd', message, { ...about, ...place }),
  );
  if (id === idHint) return { manifest: { ...manifest, id }, diagnostics: odd };
  const mismatch = `plugin id mismatch (manifest uses "${id}", entry hints "${idHint}")`;
  return {
    manifest: { ...manifest, id },
    diagnostics: [...odd, warnDiagnostic('plugin_id_mismatch', mismatch, { ...about, ...placeOf(['id']) })],
  };
}
