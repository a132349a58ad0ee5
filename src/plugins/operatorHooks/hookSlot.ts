import { PincerError } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { OperatorHookRecord } from './operatorHookTypes.ts';
import type { HookFailure, HookInstance, LoadableHook } from './loadHook.ts';
import type { HookPlan } from './planHook.ts';

/** A hook with its loaded version, if it has one. */
export interface HookSlot {
  readonly plan: HookPlan;
  readonly instance?: HookInstance;
  readonly failure?: HookFailure;
}

export function isLoadable(plan: HookPlan): plan is LoadableHook {
  return (
    plan.decision.enabled &&
    plan.manifest !== undefined &&
    plan.handler !== undefined &&
    plan.files !== undefined
  );
}

/** The slot that a plan continues: the same hook from the same folder. */
export function oldSlot(slots: readonly HookSlot[], { name, candidate }: HookPlan): HookSlot | undefined {
  return slots.find(({ plan }) => plan.name === name && plan.candidate.folder === candidate.folder);
}

/**
 * The plan that a question about a hook is about: the one that waits for consent, if any.
 * @throws PincerError `hook_unknown`
 */
export function findPlan(slots: readonly HookSlot[], name: string): HookPlan {
  const plans = slots.map(({ plan }) => plan).filter((plan) => plan.name === name);
  const plan = plans.find(({ needsConsent }) => needsConsent !== undefined) ?? plans[0];
  if (plan !== undefined) return plan;
  throw new PincerError('hook_unknown', `There is no hook "${name}".`, {
    hint: 'Look at the list of hooks.',
  });
}

/** What was found wrong with a hook since it was found and loaded. */
export function diagnosticsOf({ plan, instance, failure }: HookSlot): readonly Diagnostic[] {
  const failed = failure === undefined ? [] : [failure.diagnostic];
  return [...plan.diagnostics, ...(instance?.damage ?? []), ...failed];
}

export function toRecord(slot: HookSlot, reported: readonly Diagnostic[]): OperatorHookRecord {
  const { plan, instance, failure } = slot;
  const { candidate, manifest, needsConsent } = plan;
  const isBroken = plan.problem !== undefined || failure !== undefined;
  return {
    name: plan.name,
    key: plan.key,
    description: manifest?.description ?? '',
    events: instance?.events ?? plan.events,
    origin: candidate.origin,
    rootDir: candidate.rootDir,
    source: plan.handler ?? plan.hookFile,
    hookFile: plan.hookFile,
    ...(plan.decision.enabled ? {} : { disabledBy: plan.decision.by }),
    status: instance !== undefined ? 'loaded' : isBroken ? 'error' : 'disabled',
    reason: reasonOf(slot),
    diagnostics: [...diagnosticsOf(slot), ...reported],
    ...(manifest?.emoji === undefined ? {} : { emoji: manifest.emoji }),
    ...(manifest?.homepage === undefined ? {} : { homepage: manifest.homepage }),
    ...(candidate.workspaceDir === undefined ? {} : { workspaceDir: candidate.workspaceDir }),
    ...(needsConsent === undefined ? {} : { needsConsent }),
    ...(instance === undefined ? {} : { timings: { loadMs: instance.loadMs } }),
  };
}

function reasonOf({ plan, instance, failure }: HookSlot): string {
  if (failure !== undefined) {
    return instance === undefined ? failure.message : `${failure.message}; the previous version still runs`;
  }
  const stale = instance !== undefined && !plan.decision.enabled;
  return stale ? `${plan.decision.reason}; the version you enabled still runs` : plan.decision.reason;
}
