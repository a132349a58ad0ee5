import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import { infoDiagnostic, warnDiagnostic, type DiagnosticSubject } from '../pluginDiagnostics.ts';
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

/** Metadata changes a tool of the same plugin alone. Where a factory names none of its tools, the manifest's names count. */
export function noteToolMetadata(
  { tools, toolMetadata, diagnostics }: Registrations,
  { id, contractTools }: PluginManifest,
): void {
  const named = tools.map(({ names }) => names);
  const known = [...named.flat(), ...contractTools];
  if (contractTools.length === 0 && named.some((names) => names.length === 0)) return;
  const foreign = toolMetadata.map(({ toolName }) => toolName).filter((name) => !known.includes(name));
  if (foreign.length === 0) return;
  const message = `tool metadata has no effect, the plugin has no such tool: ${foreign.join(', ')}`;
  diagnostics.push(warnDiagnostic('plugin_registration_unused', message, { pluginId: id }));
}

/** What of `activation`, `setup` and `providers` has no effect, by name, and what other keys have none (OpenClaw documentation, Plugin manifest, Top-level field reference). */
export function noteManifest(
  { providers, diagnostics }: Registrations,
  { id, activation = {}, setup = {}, providers: declared, unknown = [] }: PluginManifest,
  placeOf: (path: readonly string[]) => DiagnosticSubject,
): void {
  const note = (field: string, message: string): void => {
    const about = { pluginId: id, ...placeOf([field]) };
    diagnostics.push(infoDiagnostic('plugin_manifest_unused', inertLine(message, 300), about));
  };
  const [first] = unknown;
  if (first !== undefined) note(first, `${unknown.join(', ')}: no effect here`);
  // An enabled plugin is there from the start, which is all that `onStartup: true` asks for.
  const hints = Object.entries(activation).filter(([name, value]) => name !== 'onStartup' || value !== true);
  if (hints.length > 0) {
    const names = hints.map(([name]) => `activation.${name}`).join(', ');
    note('activation', `${names}: no effect here, an enabled plugin loads as the program starts`);
  }
  const parts = [
    ...Object.keys(setup).filter((name) => name !== 'providers'),
    ...listOf(setup['providers']).flatMap((provider) =>
      Object.keys(provider)
        .filter((name) => name !== 'id' && name !== 'envVars')
        .map((name) => `providers[].${name}`),
    ),
  ];
  if (parts.length > 0) {
    const names = [...new Set(parts)].map((name) => `setup.${name}`).join(', ');
    note('setup', `${names}: no effect here, a plugin is set up by its settings and environment variables`);
  }
  const missing = declared.filter((each) => providers.every((provider) => provider.id !== each));
  if (missing.length > 0) {
    note('providers', `the manifest names providers that the plugin did not register: ${missing.join(', ')}`);
  }
}

function listOf(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
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
