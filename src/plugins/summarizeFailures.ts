import type { Diagnostic } from '../contracts/diagnostic.ts';
import { warnDiagnostic } from './pluginDiagnostics.ts';
import type { PluginSlot } from './toRecord.ts';

/** One line for all plugins that did not get to run, by where they failed; undefined where all did. Pure. */
export function summarizeFailures(slots: readonly PluginSlot[]): Diagnostic | undefined {
  const phases = new Map<string, string[]>();
  for (const { plan, failure } of slots) {
    const phase = (failure ?? plan.problem)?.phase;
    if (phase !== undefined) phases.set(phase, [...(phases.get(phase) ?? []), plan.id]);
  }
  if (phases.size === 0) return undefined;
  const count = [...phases.values()].flat().length;
  const by = [...phases].map(([phase, ids]) => `${phase}: ${ids.join(', ')}`).join('; ');
  const message = `[plugins] ${count} plugin(s) failed to initialize (${by}). Run 'pincer plugins list' for details.`;
  return warnDiagnostic('plugins_failed', message);
}
