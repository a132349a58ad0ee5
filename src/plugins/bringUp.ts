import { stableStringify } from '../base/json.ts';
import { decideEnablement } from './enablement.ts';
import { loadPlugin, type LoadablePlan, type LoadOptions, type PluginLoadParts } from './loadPlugin.ts';
import type { PluginLoadInput } from './pluginManager.ts';
import { configFor, entryOf } from './pluginTypes.ts';
import type { PluginPlan } from './planPlugin.ts';
import type { LoadKey, PluginSlot } from './toRecord.ts';

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
  const running = old?.instance === undefined ? {} : { instance: old.instance, ...loadedFromOf(old) };
  const mayGoOn = input.trusted && old?.loadedFrom?.permissions === loadedFrom.permissions;
  if (!isLoadable(plan)) {
    const isAsked = !plan.enablement.enabled && plan.enablement.by === 'consent';
    const waits = isAsked && plan.needsConsent?.why === 'files-changed';
    const stays = waits || (plan.problem !== undefined && isStillEnabled(old, input));
    return { plan: light, ...(stays && mayGoOn ? running : {}) };
  }
  if (
    !options.force &&
    old?.loadedFrom?.content === loadedFrom.content &&
    mayGoOn &&
    old.instance !== undefined
  ) {
    return { plan: light, ...running };
  }
  const { content } = loadedFrom;
  const outcome = await loadPlugin(parts, plan, input.config, {
    ...options,
    content,
  });
  if (outcome.ok) return { plan: light, instance: outcome.instance, loadedFrom };
  if (outcome.declared !== undefined) return { plan: light, ...outcome, ...(mayGoOn ? running : {}) };
  return { plan: light, failure: outcome, ...(mayGoOn ? running : {}) };
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

/** What stands for a plugin that takes long to load: its old version where that may go on, else nothing yet. Pure. */
export function slotWhileLoading(
  plan: PluginPlan,
  old: PluginSlot | undefined,
  input: PluginLoadInput,
): PluginSlot {
  const mayGoOn = input.trusted && old?.loadedFrom?.permissions === keyOf(plan, input).permissions;
  const running =
    mayGoOn && old.instance !== undefined ? { instance: old.instance, ...loadedFromOf(old) } : {};
  const { enabled } = plan.enablement;
  const waiting = enabled ? { enablement: { enabled, reason: 'still loading' } as const } : {};
  return { plan: { ...withoutContents(plan), ...waiting }, ...running };
}

function isLoadable(plan: PluginPlan): plan is LoadablePlan {
  return plan.enablement.enabled && plan.manifest !== undefined;
}

function loadedFromOf({ loadedFrom }: PluginSlot): { readonly loadedFrom?: LoadKey } {
  return loadedFrom === undefined ? {} : { loadedFrom };
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
