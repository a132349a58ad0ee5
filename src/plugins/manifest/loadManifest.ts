import { join } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { FileSystem } from '../../host/ports.ts';
import { isInside } from '../discover/isInside.ts';
import { errorDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginCandidate, PluginManifest } from '../pluginTypes.ts';
import { manifestFileName, maxManifestBytes, parseManifest } from './parseManifest.ts';

export type LoadedManifest =
  | {
      readonly ok: true;
      readonly path: string;
      readonly manifest: PluginManifest;
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly ok: false; readonly path: string; readonly diagnostic: Diagnostic };

/** Reads and checks the manifest of a candidate; never throws. Messages are upstream's. */
export async function loadManifest(fs: FileSystem, candidate: PluginCandidate): Promise<LoadedManifest> {
  const path = join(candidate.rootDir, manifestFileName);
  const failed = (message: string, line?: number): LoadedManifest => ({
    ok: false,
    path,
    diagnostic: errorDiagnostic('plugin_manifest_invalid', message, {
      pluginId: candidate.idHint,
      source: path,
      ...(line === undefined ? {} : { line }),
    }),
  });
  try {
    if ((await fs.lstat(path)) === undefined) return failed(`plugin manifest not found: ${path}`);
    const [realRoot, realPath] = [await fs.realpath(candidate.rootDir), await fs.realpath(path)];
    if (!isInside(realRoot, realPath))
      return failed(`unsafe plugin manifest path: ${path} (it leads to ${realPath})`);
    const parsed = parseManifest(await fs.readText(path, maxManifestBytes));
    if (!parsed.ok) return failed(parsed.message, parsed.line);
    return { ok: true, path, manifest: parsed.manifest, diagnostics: warningsOf(candidate, path, parsed) };
  } catch (error) {
    const missing = error instanceof PincerError && error.code === 'io_not_found';
    return failed(
      missing
        ? `plugin manifest not found: ${path}`
        : `failed to parse plugin manifest: ${errorMessage(error)}`,
    );
  }
}

function warningsOf(
  candidate: PluginCandidate,
  source: string,
  { manifest, warnings }: { readonly manifest: PluginManifest; readonly warnings: readonly string[] },
): readonly Diagnostic[] {
  const subject = { pluginId: manifest.id, source };
  const odd = warnings.map((warning) => warnDiagnostic('plugin_manifest_odd', warning, subject));
  if (manifest.id === candidate.idHint) return odd;
  const mismatch = `plugin id mismatch (manifest uses "${manifest.id}", entry hints "${candidate.idHint}")`;
  return [...odd, warnDiagnostic('plugin_id_mismatch', mismatch, subject)];
}
