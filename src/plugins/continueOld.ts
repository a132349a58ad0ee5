import type { ConsentStore } from './consent/consentStore.ts';
import type { PluginPlan } from './planPlugin.ts';
import { slotsOf } from './slots.ts';
import type { PluginSlot } from './toRecord.ts';

/** A plan, and the slot of the version that runs by now. */
interface Continued {
  readonly plan: PluginPlan;
  readonly old: PluginSlot | undefined;
}

/**
 * Finds the slot that each plan continues: the same plugin from the same entry file. A plugin whose manifest can't be read
 * keeps the id and the manifest of the version that runs.
 */
export async function continueOld(
  plans: readonly PluginPlan[],
  slots: readonly PluginSlot[],
  consents: ConsentStore,
): Promise<readonly Continued[]> {
  return await Promise.all(
    plans.map(async (found): Promise<Continued> => {
      const before = slots.find(
        ({ plan }) =>
          plan.candidate.source === found.candidate.source &&
          (plan.id === found.id || found.manifest === undefined),
      );
      if (before === undefined) return { plan: found, old: undefined };
      const plan = before.instance === undefined ? found : withManifestOf(found, before.plan);
      if (givesWay(plan, plans)) return { plan, old: undefined };
      return { plan, old: (await isRevoked(plan, consents)) ? undefined : before };
    }),
  );
}

function withManifestOf(plan: PluginPlan, { id, manifest }: PluginPlan): PluginPlan {
  return plan.manifest === undefined && manifest !== undefined ? { ...plan, id, manifest } : plan;
}

/** A version whose replacement can't run yet gives way to another that may, so that never two of one id or slot do. */
function givesWay({ id, enablement, manifest, problem }: PluginPlan, plans: readonly PluginPlan[]): boolean {
  if (enablement.enabled) return false;
  const slots = problem === undefined ? [] : slotsOf(manifest?.kind ?? []);
  return plans.some(
    (each) =>
      each.enablement.enabled &&
      (each.id === id || slotsOf(each.manifest?.kind ?? []).some((slot) => slots.includes(slot))),
  );
}

/** Threat: a workspace breaks its manifest, and nobody is asked any more; what the user takes back must still stop it. */
async function isRevoked({ id, candidate, problem }: PluginPlan, consents: ConsentStore): Promise<boolean> {
  if (problem === undefined || candidate.origin !== 'workspace') return false;
  try {
    const given = await consents.consents();
    return !given.some((each) => each.id === id && each.rootDir === candidate.rootDir);
  } catch {
    // The survey has said that they can't be read.
    return true;
  }
}
