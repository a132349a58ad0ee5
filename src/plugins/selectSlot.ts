import { entryOf, type PluginsConfig } from './pluginTypes.ts';
import { chosenFor, slotsOf, type SlotKey } from './slots.ts';

interface SlotSelection {
  /** Keys below `plugins` of the user's config and what they become. */
  readonly changes: readonly { readonly path: readonly string[]; readonly value: unknown }[];
  /** What that means for other plugins; texts are upstream's. */
  readonly warnings: readonly string[];
}

/** What has to change so that this plugin fills the slot and no other of its kind runs. Pure. */
export function selectSlot(
  slot: SlotKey,
  pluginId: string,
  plugins: readonly { readonly id: string; readonly kind: readonly string[] }[],
  config: PluginsConfig,
): SlotSelection {
  const before = chosenFor(slot, config);
  const others = plugins.filter(({ id, kind }) => id !== pluginId && slotsOf(kind).includes(slot));
  // A plugin that fills another slot too goes on for that one.
  const disabled = others
    .filter(({ id, kind }) => slotsOf(kind).length === 1 && entryOf(config, id).enabled !== false)
    .map(({ id }) => id);
  const choice = before === pluginId ? [] : [{ path: ['slots', slot], value: pluginId }];
  const on = entryOf(config, pluginId).enabled === false ? [enabled(pluginId, true)] : [];
  return {
    changes: [...choice, ...on, ...[...new Set(disabled)].map((id) => enabled(id, false))],
    warnings: [
      ...(typeof before === 'string' && before !== pluginId
        ? [`Exclusive slot "${slot}" switched from "${before}" to "${pluginId}".`]
        : []),
      ...(disabled.length === 0
        ? []
        : [`Disabled other "${slot}" slot plugins: ${[...new Set(disabled)].sort().join(', ')}.`]),
    ],
  };
}

function enabled(id: string, value: boolean): SlotSelection['changes'][number] {
  return { path: ['entries', id, 'enabled'], value };
}
