import { nearestFirst } from '../../base/nearestFirst.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { ConsentStore } from '../consent/consentStore.ts';
import { warnDiagnostic } from '../pluginDiagnostics.ts';
import { discoverHooks, type HookPlaces } from './discoverHooks.ts';
import { planHook, type HookPlan, type HookPlanFacts } from './planHook.ts';

interface HookSurvey {
  readonly plans: readonly HookPlan[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds all hooks and decides which of them run. Reads files as data only; never rejects. */
export async function surveyHooks(
  places: HookPlaces,
  store: ConsentStore,
  given: Omit<HookPlanFacts, 'consents'>,
): Promise<HookSurvey> {
  const found = await discoverHooks(given.around.fs, places);
  const diagnostics = [...found.diagnostics];
  // That they can't be read stops every turn, and is told there (`createGuardWatch`).
  const consents = await store.consents().catch(() => []);
  const alone: HookPlan[] = [];
  for (const candidate of found.candidates) alone.push(await planHook(candidate, { ...given, consents }));
  return {
    plans: withoutDoubles(alone),
    diagnostics: [...diagnostics, ...unknownEntries(Object.keys(given.config.entries), alone)],
  };
}

/**
 * Of the hooks with one name, one runs: the last found, but one of the workspace never takes the place of the user's own
 * (upstream's rule). A hook that is broken takes no part. Pure.
 */
function withoutDoubles(plans: readonly HookPlan[]): readonly HookPlan[] {
  const winners = new Map<string, HookPlan>();
  for (const plan of plans.filter((each) => each.problem === undefined)) {
    const known = winners.get(plan.name);
    const mayOverride = plan.candidate.origin !== 'workspace' || known?.candidate.origin === 'workspace';
    if (known === undefined || mayOverride) winners.set(plan.name, plan);
  }
  return plans.map((plan) => {
    const winner = winners.get(plan.name);
    return winner === undefined || winner === plan || plan.problem !== undefined
      ? plan
      : overridden(plan, winner);
  });
}

function overridden(plan: HookPlan, winner: HookPlan): HookPlan {
  const { needsConsent: _need, files: _files, fileHashes: _hashes, ...rest } = plan;
  const by = `${winner.candidate.origin} hook`;
  const message = `duplicate hook name "${plan.name}": the ${plan.candidate.origin} hook is overridden by the ${by} (${winner.hookFile})`;
  return {
    ...rest,
    decision: { enabled: false, reason: `overridden by ${by}`, by: 'override' },
    diagnostics: [
      ...plan.diagnostics,
      warnDiagnostic('hook_duplicate_name', message, { source: plan.hookFile, hint: 'Rename one of them.' }),
    ],
  };
}

/** An entry that names no hook has no effect; that must be seen. */
function unknownEntries(keys: readonly string[], plans: readonly HookPlan[]): readonly Diagnostic[] {
  const known = [...new Set(plans.flatMap(({ key, name }) => [key, name]))];
  return keys
    .filter((key) => !known.includes(key))
    .map((key) => {
      const nearest = nearestFirst(key, known)[0];
      const hint =
        nearest === undefined ? 'No hooks were found.' : `The hook with the nearest name is "${nearest}".`;
      return warnDiagnostic('hook_entry_unknown', `config hooks.internal.entries names no hook "${key}"`, {
        hint,
      });
    });
}
