import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';

/**
 * Problems by the file that the Problems panel lists them under: the one they name, else the manifest of their plugin. A
 * problem whose file `isShown` refuses, or that has none, stays in the Plugins view alone. Pure.
 */
export function planProblems(
  diagnostics: readonly Diagnostic[],
  plugins: readonly Pick<PluginRecord, 'id' | 'manifestPath'>[],
  isShown: (path: string) => boolean,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const byFile = new Map<string, Diagnostic[]>();
  const seen = new Set<string>();
  for (const diagnostic of diagnostics) {
    const path = diagnostic.source ?? manifestOf(diagnostic, plugins);
    if (path === undefined || !isShown(path)) continue;
    const key = [path, diagnostic.line, diagnostic.column, diagnostic.code, diagnostic.message].join('\n');
    if (seen.has(key)) continue;
    seen.add(key);
    byFile.set(path, [...(byFile.get(path) ?? []), diagnostic]);
  }
  return byFile;
}

function manifestOf(
  { pluginId }: Diagnostic,
  plugins: readonly Pick<PluginRecord, 'id' | 'manifestPath'>[],
): string | undefined {
  return pluginId === undefined ? undefined : plugins.find(({ id }) => id === pluginId)?.manifestPath;
}
