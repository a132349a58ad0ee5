import type { PluginsConfig } from './pluginTypes.ts';

/** Exclusive slots (OpenClaw plugin API, Plugin Slot System): of the plugins with that kind, one runs. Keys are those of `plugins.slots`. */
const slotOfKind = { memory: 'memory', 'context-engine': 'contextEngine' } as const;

export type SlotKey = (typeof slotOfKind)[keyof typeof slotOfKind];

/** Upstream's names for what the program itself brings: a config may name them, no plugin has to have them. */
const builtInSlots: Readonly<Record<SlotKey, string>> = { memory: 'memory-core', contextEngine: 'legacy' };

export const slotKeys: readonly SlotKey[] = Object.values(slotOfKind);

/** The slots that a plugin of these kinds fills. */
export function slotsOf(kind: readonly string[]): readonly SlotKey[] {
  return Object.entries(slotOfKind).flatMap(([name, slot]) => (kind.includes(name) ? [slot] : []));
}

/** What the config says of a slot: a plugin's id, `null` for none at all, undefined for nothing. */
export function chosenFor(slot: string, { slots }: Pick<PluginsConfig, 'slots'>): string | null | undefined {
  const chosen = Object.hasOwn(slots, slot) ? slots[slot]?.trim() : undefined;
  if (chosen === undefined || chosen === '') return undefined;
  return chosen.toLowerCase() === 'none' ? null : chosen;
}

export function isBuiltInSlot(slot: SlotKey, id: string): boolean {
  return builtInSlots[slot] === id;
}
