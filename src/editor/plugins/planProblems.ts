import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';

type Owner = Pick<PluginRecord, 'id' | 'origin' | 'manifestPath'>;

/**
 * Problems of the Plugins view by the file that the Problems panel lists them under: the one they name, else the manifest of their
 * plugin, else the user's config, which is what the rest is about. A note on a plugin that came with Pincer stays in the view: nobody
 * can mend it. Pure.
 */
export function planProblems(
  diagnostics: readonly Diagnostic[],
  plugins: readonly Owner[],
  userConfig: string,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const byFile = new Map<string, Diagnostic[]>();
  const seen = new Set<string>();
  for (const diagnostic of diagnostics) {
    const owner = plugins.find(({ id }) => id === diagnostic.pluginId);
    if (owner?.origin === 'bundled' && diagnostic.level === 'info') continue;
    const path = diagnostic.source ?? manifestOf(owner) ?? userConfig;
    const key = [path, diagnostic.line, diagnostic.column, diagnostic.code, diagnostic.message].join('\n');
    if (seen.has(key)) continue;
    seen.add(key);
    byFile.set(path, [...(byFile.get(path) ?? []), diagnostic]);
  }
  return byFile;
}

/** What is wrong with a bundled plugin and not in one of its files is the user's settings for it. */
function manifestOf(owner: Owner | undefined): string | undefined {
  return owner?.origin === 'bundled' ? undefined : owner?.manifestPath;
}
