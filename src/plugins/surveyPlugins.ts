import { dirname } from 'node:path';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { FileSystem } from '../host/ports.ts';
import { readConsents, type ConsentStore } from './consent/consentStore.ts';
import { realPathOr } from './realPathOr.ts';
import { discoverPlugins, type PluginPlaces } from './discover/discoverPlugins.ts';
import { readInstallRecords, type InstallRecord } from './discover/readInstallRecord.ts';
import { decideEnablement } from './enablement.ts';
import { explainDisabled } from './explainDisabled.ts';
import { pickWinners } from './pickWinners.ts';
import { planPlugin, type PlanFacts, type PluginPlan } from './planPlugin.ts';
import { warnDiagnostic, infoDiagnostic } from './pluginDiagnostics.ts';
import { configFor, type PluginCandidate, type PluginsConfig, entryOf } from './pluginTypes.ts';
import { chosenFor, slotsOf, type SlotKey, isBuiltInSlot, slotKeys } from './slots.ts';
import { inertLine } from '../base/text.ts';

const maxListedNames = 6;

interface SurveyInput {
  readonly places: PluginPlaces;
  readonly config: PluginsConfig;
  readonly trusted: boolean;
  /** Real paths of entry files that are plugins of another dialect; default none. */
  readonly taken?: () => readonly string[];
  /** The kind that a plugin's code names, by its entry file, where its manifest names none; default: unknown. */
  readonly kindOf?: NonNullable<PlanFacts['kindOf']>;
}

interface Survey {
  readonly plans: readonly PluginPlan[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds all plugins and decides which of them run. Reads files as data only; never rejects. */
export async function surveyPlugins(
  fs: FileSystem,
  consentStore: ConsentStore,
  { places, config, trusted, taken, kindOf = () => undefined }: SurveyInput,
): Promise<Survey> {
  const found = await discoverPlugins(fs, places);
  const candidates = await withoutTaken(fs, found.candidates, taken?.() ?? []);
  const { consents, intended, problems } = await readConsents(consentStore, fs);
  const installs = await readInstalls(fs, places);
  const facts: PlanFacts = { config, trusted, consents, intended, installs, kindOf };
  const alone: PluginPlan[] = [];
  for (const candidate of candidates) alone.push(await planPlugin(fs, candidate, facts));
  const plans = withOneForEachSlot(withoutDoubles(alone), facts).map(withReason);
  return {
    plans,
    diagnostics: [
      ...found.diagnostics,
      ...problems,
      ...ignoredByOrigin(alone, config),
      ...summarizeSurvey(plans, config),
    ],
  };
}

/**
 * A Dexto plugin may lie in the folder of OpenClaw's; only those that an agent file names are known. Threat: a workspace's agent
 * file names a plugin of the user's, which then would be gone from the list; so only the workspace's own are taken.
 */
async function withoutTaken(
  fs: FileSystem,
  candidates: readonly PluginCandidate[],
  taken: readonly string[],
): Promise<readonly PluginCandidate[]> {
  if (taken.length === 0) return candidates;
  const real = await Promise.all(candidates.map(({ source }) => realPathOr(fs, source)));
  return candidates.filter(
    ({ origin }, index) => origin !== 'workspace' || !taken.includes(real[index] ?? ''),
  );
}

/** A home's folder of plugins has the records beside it. */
async function readInstalls(fs: FileSystem, { globalDirs }: PluginPlaces): Promise<readonly InstallRecord[]> {
  const homes = [...new Set(globalDirs.map(dirname))];
  return (await Promise.all(homes.map((home) => readInstallRecords(fs, home)))).flat();
}

/** Of the plugins with one id, one runs. A plugin that can't be loaded anyway takes no part. */
function withoutDoubles(plans: readonly PluginPlan[]): readonly PluginPlan[] {
  const claimants = plans
    .filter((plan) => plan.problem === undefined)
    .map((plan) => ({
      id: plan.id,
      origin: plan.candidate.origin,
      installed: plan.candidate.isInstalled === true,
      mayRun: plan.enablement.enabled,
      plan,
    }));
  const winners = new Map([...pickWinners(claimants)].map(([loser, winner]) => [loser.plan, winner.plan]));
  return plans.map((plan) => {
    const winner = winners.get(plan);
    return winner === undefined ? plan : overridden(plan, winner.candidate);
  });
}

/** Nothing is asked about a plugin that could not run anyway. */
function overridden(plan: PluginPlan, winner: PluginCandidate): PluginPlan {
  const {
    problem: _problem,
    needsConsent: _need,
    asks: _asks,
    files: _files,
    fileHashes: _hashes,
    ...rest
  } = plan;
  return {
    ...rest,
    enablement: { enabled: false, reason: `overridden by ${winner.origin} plugin`, by: 'override' },
    diagnostics: [...plan.diagnostics, duplicate(plan, winner)],
  };
}

function duplicate({ id, candidate }: PluginPlan, winner: PluginCandidate): Diagnostic {
  const how =
    winner.origin === 'config'
      ? 'duplicate plugin id resolved by explicit config-selected plugin'
      : 'duplicate plugin id detected';
  const message = `${how}; ${candidate.origin} plugin will be overridden by ${winner.origin} plugin (${winner.source})`;
  return warnDiagnostic('plugin_duplicate_id', message, {
    pluginId: id,
    source: candidate.source,
    hint: 'Remove one of the two, or give it an id of its own.',
  });
}

/**
 * The first plugin that may run fills a slot of its kind; the others are decided again with that. What the program brings comes
 * last: whoever has another memory switched on wants that one.
 */
function withOneForEachSlot(
  plans: readonly PluginPlan[],
  { config, trusted }: PlanFacts,
): readonly PluginPlan[] {
  let slotsFilledBy: Readonly<Partial<Record<SlotKey, string>>> = {};
  const decided = new Map<PluginPlan, PluginPlan>();
  const isBundled = ({ candidate }: PluginPlan): number => Number(candidate.origin === 'bundled');
  for (const plan of [...plans].sort((a, b) => isBundled(a) - isBundled(b))) {
    const { manifest, candidate } = plan;
    const slots = slotsOf(manifest?.kind ?? []);
    if (!plan.enablement.enabled || manifest === undefined || slots.length === 0) continue;
    const { origin } = candidate;
    const consent = origin === 'workspace' ? 'given' : 'not-needed';
    const facts = { config: configFor(config, origin), trusted, consent, slotsFilledBy } as const;
    const enablement = decideEnablement({ ...manifest, origin }, facts);
    if (enablement.enabled) {
      slotsFilledBy = { ...Object.fromEntries(slots.map((slot) => [slot, plan.id])), ...slotsFilledBy };
    }
    const fills = slots.filter((slot) => {
      const chosen = chosenFor(slot, facts.config);
      return enablement.enabled && (chosen === undefined ? slotsFilledBy[slot] : chosen) === plan.id;
    });
    decided.set(plan, { ...plan, enablement, fills });
  }
  return plans.map((plan) => decided.get(plan) ?? plan);
}

function withReason(plan: PluginPlan): PluginPlan {
  const why = explainDisabled(plan.id, plan.candidate.source, plan.enablement);
  return why === undefined ? plan : { ...plan, diagnostics: [...plan.diagnostics, why] };
}

/** A workspace config that speaks of a plugin that is not the workspace's has no effect; that must be seen. */
function ignoredByOrigin(plans: readonly PluginPlan[], { workspace }: PluginsConfig): readonly Diagnostic[] {
  return (workspace?.named ?? []).flatMap((id) => {
    const own = plans.filter((plan) => plan.id === id);
    const [first] = own;
    if (first === undefined || own.some(({ candidate }) => candidate.origin === 'workspace')) return [];
    const message = `What the workspace config says about plugin ${id} is ignored: it is a ${first.candidate.origin} plugin, not one of the workspace.`;
    const hint = 'Move it to your own config (Pincer: Open User Config).';
    return [warnDiagnostic('config_workspace_ignored', message, { pluginId: id, hint })];
  });
}

/** What is to be said about all plugins together, before any of them runs. Texts are upstream's. Pure. */
function summarizeSurvey(plans: readonly PluginPlan[], config: PluginsConfig): readonly Diagnostic[] {
  return [
    ...emptySlots(plans, config),
    ...commandsInAllow(plans, config),
    ...missingPlugins(plans),
    ...autoLoading(plans, config),
    ...withoutProvenance(plans, config),
  ];
}

function emptySlots(plans: readonly PluginPlan[], config: PluginsConfig): readonly Diagnostic[] {
  if (!config.enabled) return [];
  // An engine may have another id than its plugin: whether there is one is known once plugins run (`createPermittedProviders`).
  return slotKeys.flatMap((slot) => {
    if (slot === 'contextEngine') return [];
    const chosen = chosenFor(slot, config);
    if (typeof chosen !== 'string' || isBuiltInSlot(slot, chosen)) return [];
    const fits = plans.filter(({ manifest }) => slotsOf(manifest?.kind ?? []).includes(slot));
    if (fits.some(({ id }) => id === chosen)) return [];
    const message = `${slot} slot plugin not found or not marked as ${slot}: ${chosen}`;
    const others = [...new Set(fits.map(({ id }) => id))];
    return [
      warnDiagnostic('plugin_slot_empty', message, {
        pluginId: chosen,
        hint: `Correct plugins.slots.${slot} in your config.`,
        ...(others.length === 0
          ? {}
          : { fixes: others.map((pluginId) => ({ kind: 'choose-slot', slot, pluginId }) as const) }),
      }),
    ];
  });
}

/** A command's name where the id of its plugin belongs (OpenClaw documentation, Manifest host surface fields, commandAliases reference). */
function commandsInAllow(plans: readonly PluginPlan[], { allow }: PluginsConfig): readonly Diagnostic[] {
  return allow.flatMap((name) => {
    if (plans.some(({ id }) => id === name)) return [];
    const owner = plans.find(({ manifest }) =>
      manifest?.commandAliases?.some((each) => each['name'] === name),
    );
    if (owner === undefined) return [];
    const message = `plugins.allow names "${inertLine(name, 60)}", which is a command of plugin ${owner.id}`;
    const hint = `Write "${owner.id}" in plugins.allow instead.`;
    return [warnDiagnostic('plugins_allow_command', message, { pluginId: owner.id, hint })];
  });
}

/** What a plugin needs runs only where the user has it (OpenClaw documentation, Plugin manifest, Top-level field reference). */
function missingPlugins(plans: readonly PluginPlan[]): readonly Diagnostic[] {
  const running = plans.filter(({ enablement }) => enablement.enabled);
  return running.flatMap(({ id: pluginId, manifest, manifestPath, placeOf }) => {
    const missing = (manifest?.requiresPlugins ?? []).filter((each) =>
      running.every(({ id }) => id !== each),
    );
    if (missing.length === 0) return [];
    const names = inertLine(missing.join(', '), 200);
    const message = `plugin ${pluginId} needs plugins that do not run: ${names}`;
    const hint = 'Install or enable them, or disable this one.';
    return [
      warnDiagnostic('plugin_requires_missing', message, {
        pluginId,
        hint,
        source: manifestPath,
        ...placeOf?.(['requiresPlugins']),
      }),
    ];
  });
}

/**
 * Plugins that run because they lie in the home folder, and for no other reason: nobody was asked, as an install asks, and nobody
 * has said that he writes it.
 */
function unasked(plans: readonly PluginPlan[], config: PluginsConfig): readonly PluginPlan[] {
  return plans.filter(
    ({ id, candidate, enablement, developing }) =>
      candidate.origin === 'global' &&
      candidate.isInstalled !== true &&
      developing !== true &&
      enablement.enabled &&
      entryOf(config, id).enabled !== true,
  );
}

function autoLoading(plans: readonly PluginPlan[], config: PluginsConfig): readonly Diagnostic[] {
  const ids = unasked(plans, config).map(({ id }) => id);
  if (config.allow.length > 0 || ids.length === 0) return [];
  const more = ids.length > maxListedNames ? ` (+${ids.length - maxListedNames} more)` : '';
  const message = `plugins.allow is empty; discovered non-bundled plugins may auto-load: ${ids.slice(0, maxListedNames).join(', ')}${more}`;
  return [infoDiagnostic('plugins_allow_empty', message, { hint: 'Name those you trust in plugins.allow.' })];
}

function withoutProvenance(plans: readonly PluginPlan[], config: PluginsConfig): readonly Diagnostic[] {
  return unasked(plans, config)
    .filter(({ id }) => !config.allow.includes(id))
    .map(({ id, candidate }) =>
      infoDiagnostic(
        'plugin_without_provenance',
        'loaded without install/load-path provenance; nothing says how it came to be there',
        {
          pluginId: id,
          source: candidate.source,
          hint: 'Name it in plugins.allow, or install it with: pincer plugins install <folder>',
        },
      ),
    );
}
