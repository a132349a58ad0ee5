import { inertLine } from '../base/text.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { infoDiagnostic, warnDiagnostic } from './pluginDiagnostics.ts';
import type { PluginPlan } from './planPlugin.ts';
import { entryOf, type PluginsConfig } from './pluginTypes.ts';
import { chosenFor, isBuiltInSlot, slotKeys, slotsOf } from './slots.ts';

const maxNames = 6;

/** What is to be said about all plugins together, before any of them runs. Texts are upstream's. Pure. */
export function summarizeSurvey(plans: readonly PluginPlan[], config: PluginsConfig): readonly Diagnostic[] {
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
  const more = ids.length > maxNames ? ` (+${ids.length - maxNames} more)` : '';
  const message = `plugins.allow is empty; discovered non-bundled plugins may auto-load: ${ids.slice(0, maxNames).join(', ')}${more}`;
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
