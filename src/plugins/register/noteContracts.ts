import { warnDiagnostic, type DiagnosticSubject } from '../pluginDiagnostics.ts';
import type { PluginManifest } from '../pluginTypes.ts';
import type { Registrations } from './registrations.ts';

/** The module calls itself something else than its manifest does: a warning at the manifest's `id`. */
export function noteMismatch(
  { diagnostics }: Registrations,
  about: DiagnosticSubject & { readonly pluginId: string },
  exportedId: string | undefined,
): void {
  if (exportedId === undefined || exportedId === about.pluginId) return;
  const message = `plugin id mismatch (config uses "${about.pluginId}", export uses "${exportedId}")`;
  diagnostics.push(warnDiagnostic('plugin_id_mismatch', message, about));
}

/** Tools that the manifest does not name are accepted, with one warning at `contracts.tools`. */
export function noteContracts(
  { tools, diagnostics }: Registrations,
  manifest: PluginManifest,
  place: DiagnosticSubject,
): void {
  const undeclared = tools
    .flatMap(({ names }) => names)
    .filter((name) => !manifest.contractTools.includes(name));
  if (tools.length === 0 || (manifest.contractTools.length > 0 && undeclared.length === 0)) return;
  const message =
    manifest.contractTools.length === 0
      ? 'plugin must declare contracts.tools before registering agent tools'
      : `plugin must declare contracts.tools for: ${undeclared.join(', ')}`;
  diagnostics.push(warnDiagnostic('plugin_tools_undeclared', message, { pluginId: manifest.id, ...place }));
}
