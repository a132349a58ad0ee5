import { PincerError } from '../base/errors.ts';
import { stableStringify } from '../base/json.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { ConsentStore } from './consent/consentStore.ts';
import { decideEnablement } from './enablement.ts';
import { loadPlugin, type LoadablePlan, type LoadOptions, type PluginLoadParts } from './loadPlugin.ts';
import type { PluginPlan } from './planPlugin.ts';
import { infoDiagnostic } from './pluginDiagnostics.ts';
import type { PluginLoadInput } from './pluginManager.ts';
import { configFor, entryOf } from './pluginTypes.ts';
import { slotsOf } from './slots.ts';
import type { LoadKey, PluginSlot } from './toRecord.ts';

/** A plugin of the home folder that is about to run for the first time is announced, once, with what it asks for. */
export async function announceFirstRun(plan: PluginPlan, store: ConsentStore): Promise<PluginPlan> {
  const { candidate, enablement } = plan;
  if (candidate.origin !== 'global' || !enablement.enabled) return plan;
  const isFirst = await isFirstRun(plan, store);
  return isFirst ? { ...plan, diagnostics: [...plan.diagnostics, announcement(plan)] } : plan;
}

/** Where that can't be noted, it is announced again each time: better twice than never. */
async function isFirstRun({ id, candidate }: PluginPlan, store: ConsentStore): Promise<boolean> {
  try {
    return await store.announceOnce(id, candidate.rootDir);
  } catch (error) {
    if (error instanceof PincerError) return true;
    throw error;
  }
}

function announcement({ id, candidate, asks }: PluginPlan): Diagnostic {
  const wants = [...(asks?.hooks ?? []), ...(asks?.tools ?? []), ...(asks?.reaches ?? [])].join(', ');
  const message = `plugin ${id} from ${candidate.rootDir} runs for the first time; it asks for ${wants || 'nothing that its text shows'}`;
  return infoDiagnostic('plugin_first_run', message, {
    pluginId: id,
    source: candidate.source,
    hint: 'Disable it if you did not put it there.',
    fixes: [{ kind: 'disable-plugin', pluginId: id }],
  });
}

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

/**
 * Makes one plugin what its plan says: keeps the version that runs, loads a new one, or leaves it out. The old version goes
 * on only where its replacement fails, can't be read or waits for consent, and where it is still allowed as much as when it
 * was loaded.
 */
export async function bringUp(
  parts: PluginLoadParts,
  plan: PluginPlan,
  old: PluginSlot | undefined,
  input: PluginLoadInput,
  options: Pick<LoadOptions, 'force' | 'evaluated'>,
): Promise<PluginSlot> {
  const light = withoutContents(plan);
  const loadedFrom = keyOf(plan, input);
  const running = runningOf(old, loadedFrom, input);
  if (!isLoadable(plan)) {
    const isAsked = !plan.enablement.enabled && plan.enablement.by === 'consent';
    const waits = isAsked && plan.needsConsent?.why === 'files-changed';
    const stays = waits || (plan.problem !== undefined && isStillEnabled(old, input));
    return { plan: light, ...(stays ? running : {}) };
  }
  const { content } = loadedFrom;
  if (!options.force && running.loadedFrom?.content === content) return { plan: light, ...running };
  const outcome = await loadPlugin(parts, plan, input.config, { ...options, content });
  if (outcome.ok) return { plan: light, instance: outcome.instance, loadedFrom };
  if (outcome.declared !== undefined) return { plan: light, ...outcome, ...running };
  return { plan: light, failure: outcome, ...running };
}

function isLoadable(plan: PluginPlan): plan is LoadablePlan {
  return plan.enablement.enabled && plan.manifest !== undefined;
}

/**
 * Whether what runs would be enabled as it is: where the new version can't be read, nothing else has looked at what the user
 * says. That there still is a consent is for the caller to know.
 */
function isStillEnabled(old: PluginSlot | undefined, { config, trusted }: PluginLoadInput): boolean {
  if (old?.plan.manifest === undefined) return false;
  const { manifest, candidate } = old.plan;
  const { origin } = candidate;
  const facts = { config: configFor(config, origin), trusted, consent: 'not-needed' } as const;
  return decideEnablement({ ...manifest, origin }, facts).enabled;
}

/** Stands for a plugin while it loads: its old version where that may go on, else nothing yet. Pure. */
export function slotWhileLoading(
  plan: PluginPlan,
  old: PluginSlot | undefined,
  input: PluginLoadInput,
): PluginSlot {
  const running = runningOf(old, keyOf(plan, input), input);
  const { enabled } = plan.enablement;
  const waiting = enabled ? { enablement: { enabled, reason: 'still loading' } as const } : {};
  return { plan: { ...withoutContents(plan), ...waiting }, ...running };
}

/** What of the old version may go on: it is still trusted, and allowed as much as when it was loaded. */
function runningOf(
  old: PluginSlot | undefined,
  { permissions }: LoadKey,
  { trusted }: PluginLoadInput,
): Pick<PluginSlot, 'instance' | 'loadedFrom'> {
  if (!trusted || old?.instance === undefined || old.loadedFrom?.permissions !== permissions) return {};
  return { instance: old.instance, loadedFrom: old.loadedFrom };
}

function keyOf(
  { id, candidate, files, manifest, asks }: PluginPlan,
  { config, trusted }: PluginLoadInput,
): LoadKey {
  const entry = entryOf(configFor(config, candidate.origin), id);
  return {
    content: stableStringify([candidate.source, files?.hash, manifest, entry.config, asks?.more]),
    permissions: stableStringify([trusted, entry.hooks]),
  };
}

/** The bytes of a plugin's files are needed only while it loads. */
function withoutContents(plan: PluginPlan): PluginPlan {
  const { files: _contents, ...light } = plan;
  return light;
}
