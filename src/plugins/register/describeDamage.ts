import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { errorDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import type { GlobalDamage } from './protectGlobals.ts';

/** Which globals the code of a plugin or hook has damaged, and what to do where they could not be put back. Pure. */
export function describeDamage(
  who: string,
  about: { readonly pluginId?: string; readonly source: string },
  { repaired, lost }: GlobalDamage,
): readonly Diagnostic[] {
  const changed = `${who} changed ${someOf(repaired)} of the whole process; it was put back`;
  const broken = `${who} changed ${someOf(lost)} of the whole process; it could not be put back; reload the window`;
  return [
    ...(repaired.length === 0 ? [] : [warnDiagnostic('plugin_changed_globals', changed, about)]),
    ...(lost.length === 0
      ? []
      : [errorDiagnostic('plugin_broke_globals', broken, { ...about, hint: 'Disable it first.' })]),
  ];
}

const maxNamed = 5;

function someOf(names: readonly string[]): string {
  const more = names.length > maxNamed ? ` and ${String(names.length - maxNamed)} more` : '';
  return `${names.slice(0, maxNamed).join(', ')}${more}`;
}
