// Threat: whoever changes a guard's file, the agent or a pull, must not be rid of the guard. While it runs, the version goes on
// that the user agreed to; where none runs, nothing does until the user has decided.
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { errorDiagnostic } from '../../plugins/pluginDiagnostics.ts';
import type { GenerationMember } from './generation.ts';
import type { DextoPlan } from './planDextoPlugin.ts';

/**
 * The first blocking plugin that the agent file has switched on, and that the user has never agreed to: the agent was not meant to run
 * without it. What the user has switched off keeps nothing from running. Pure.
 */
export function findWaitingGuard(plans: readonly DextoPlan[]): Diagnostic | undefined {
  const waiting = plans.find((plan) => isHeldBack(plan) && plan.needsConsent?.why === 'never-enabled');
  if (waiting === undefined) return undefined;
  const { id, entry, candidate } = waiting;
  const message = `The plugin ${entry.name} of the agent file can stop what the agent does, and waits for your consent.`;
  return errorDiagnostic('dexto_guard_waits', message, {
    pluginId: id,
    source: candidate.source,
    hint: 'Look at what it asks for and enable it, switch it off, or take it out of the agent file.',
    fixes: [
      { kind: 'enable-plugin', pluginId: id },
      { kind: 'disable-plugin', pluginId: id },
    ],
  });
}

/** The first blocking plugin that the user once agreed to, whose files have changed since, and of which no version runs. Pure. */
export function findLostGuard(
  plans: readonly DextoPlan[],
  members: readonly GenerationMember[],
): Diagnostic | undefined {
  const lost = plans.find(
    (plan) =>
      isHeldBack(plan) &&
      plan.needsConsent?.why === 'files-changed' &&
      members.every((member) => member.plan !== plan),
  );
  if (lost === undefined) return undefined;
  const { id, entry, candidate } = lost;
  const message = `The files of ${entry.name} have changed since you allowed it, and it can stop what the agent does.`;
  return errorDiagnostic('dexto_guard_changed', message, {
    pluginId: id,
    source: candidate.source,
    hint: 'Look at the change, then enable it again or switch it off.',
    fixes: [
      { kind: 'show-plugin-changes', pluginId: id },
      { kind: 'enable-plugin', pluginId: id },
      { kind: 'disable-plugin', pluginId: id },
    ],
  });
}

/** A blocking plugin that only the missing consent keeps from running. */
function isHeldBack({ entry, enablement }: DextoPlan): boolean {
  return entry.blocking && !enablement.enabled && enablement.by === 'consent';
}
