import type { Diagnostic, DiagnosticFix } from '../../contracts/diagnostic.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';

/**
 * What can be done about a problem, the best first: what it names itself, then what helps with any plugin that does not run
 * as it should. Pure.
 */
export function planFixes(
  diagnostic: Diagnostic,
  plugin: PluginRecord | undefined,
): readonly DiagnosticFix[] {
  const own = diagnostic.fixes ?? [];
  if (plugin === undefined || diagnostic.level !== 'error') return own;
  const { id: pluginId, failurePhase } = plugin;
  if (failurePhase === undefined) return own;
  const general: readonly DiagnosticFix[] = [
    ...(failurePhase === 'validation' ? [{ kind: 'configure-plugin', pluginId } as const] : []),
    { kind: 'reload-plugin', pluginId },
    { kind: 'disable-plugin', pluginId },
  ];
  return [...own, ...general.filter(({ kind }) => own.every((each) => each.kind !== kind))];
}

/** The same problems with all that can be done about them. Pure. */
export function withFixes(
  diagnostics: readonly Diagnostic[],
  plugins: readonly PluginRecord[],
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const plugin = plugins.find((each) => each.diagnostics.includes(diagnostic));
    const fixes = planFixes(diagnostic, plugin);
    return fixes.length === 0 ? diagnostic : { ...diagnostic, fixes };
  });
}
