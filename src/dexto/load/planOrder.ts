import type { PluginEntry } from '../agentFile/agentFile.ts';
import { loadFailure } from './loadFailure.ts';
import type { DextoFailure, PlanOrder } from './loadTypes.ts';

/**
 * The order in which plugins are initialized and run: what others depend on first, among the others lower priority first
 * (Dexto plugin specification, Priority System). Only enabled plugins count. Fails for names and priorities that two plugins
 * have, for what is missing or switched off, and for cycles; all of these are told. Pure.
 */
export const planOrder: PlanOrder = (entries, agentFile) => {
  const enabled = entries.filter((entry) => entry.enabled);
  const failures = [
    ...duplicateNames(enabled, agentFile),
    ...duplicatePriorities(enabled, agentFile),
    ...missingDependencies(entries, agentFile),
  ];
  if (failures.length > 0) return { ok: false, failures };
  const { order, rest } = sortByDependencies(enabled);
  return rest.length === 0 ? { ok: true, order } : { ok: false, failures: [cycleIn(rest, agentFile)] };
};

/** Repeatedly takes the plugin of the lowest priority that waits for nobody; `rest` is what waits for ever. */
function sortByDependencies(entries: readonly PluginEntry[]): {
  readonly order: readonly PluginEntry[];
  readonly rest: readonly PluginEntry[];
} {
  const order: PluginEntry[] = [];
  const placed = new Set<string>();
  const rest = [...entries].sort((a, b) => a.priority - b.priority);
  for (;;) {
    const next = rest.findIndex(({ dependsOn }) => dependsOn.every((name) => placed.has(name)));
    const entry = next < 0 ? undefined : rest.splice(next, 1)[0];
    if (entry === undefined) return { order, rest };
    order.push(entry);
    placed.add(entry.name);
  }
}

function duplicateNames(entries: readonly PluginEntry[], agentFile: string): readonly DextoFailure[] {
  return pairsOf(entries, ({ name }) => name).map(([first, second]) =>
    loadFailure({
      entry: second,
      agentFile,
      phase: 'validation',
      code: 'PLUGIN_CONFIGURATION_INVALID',
      message: `two plugins are named '${second.name}', in lines ${String(first.line)} and ${String(second.line)}`,
      hint: 'Give one of them another name.',
    }),
  );
}

function duplicatePriorities(entries: readonly PluginEntry[], agentFile: string): readonly DextoFailure[] {
  return pairsOf(entries, ({ priority }) => priority).map(([first, second]) =>
    loadFailure({
      entry: second,
      agentFile,
      phase: 'validation',
      code: 'PLUGIN_DUPLICATE_PRIORITY',
      message: `plugins '${first.name}' and '${second.name}' both have priority ${String(second.priority)}`,
      hint: 'Each plugin needs a priority of its own, built-in ones included: the lower one runs first.',
    }),
  );
}

function missingDependencies(entries: readonly PluginEntry[], agentFile: string): readonly DextoFailure[] {
  const enabled = entries.filter((entry) => entry.enabled);
  const switchedOff = new Set(entries.filter((entry) => !entry.enabled).map(({ name }) => name));
  const present = new Set(enabled.map(({ name }) => name));
  return enabled.flatMap((entry) =>
    entry.dependsOn
      .filter((name) => !present.has(name))
      .map((name) =>
        loadFailure({
          entry,
          agentFile,
          phase: 'validation',
          code: 'PLUGIN_CONFIGURATION_INVALID',
          message: `plugin '${entry.name}' needs plugin '${name}', which ${
            switchedOff.has(name) ? 'is switched off' : 'the agent file does not have'
          }`,
          hint: switchedOff.has(name)
            ? `Switch '${name}' on, or '${entry.name}' off.`
            : `Add a plugin named '${name}', or take it out of what '${entry.name}' depends on.`,
        }),
      ),
  );
}

/** Each of `waiting` depends on another one of them, so walking from any of them ends in a cycle. */
function cycleIn(waiting: readonly PluginEntry[], agentFile: string): DextoFailure {
  const byName = new Map(waiting.map((entry) => [entry.name, entry]));
  const path: PluginEntry[] = [];
  let entry = waiting[0];
  while (entry !== undefined && !path.includes(entry)) {
    path.push(entry);
    entry = entry.dependsOn.map((name) => byName.get(name)).find((each) => each !== undefined);
  }
  const cycle = entry === undefined ? path : [...path.slice(path.indexOf(entry)), entry];
  const names = cycle.map(({ name }) => `'${name}'`).join(' -> ');
  return loadFailure({
    ...{ entry: cycle[0] ?? waiting[0], agentFile },
    phase: 'validation',
    code: 'PLUGIN_CONFIGURATION_INVALID',
    message: `plugins depend on each other in a circle: ${names}`,
    hint: 'Take one of them out of dependsOn in the agent file, or out of requires in its class.',
  });
}

/** Each entry whose key an earlier one has, with that one. */
function pairsOf(
  entries: readonly PluginEntry[],
  keyOf: (entry: PluginEntry) => string | number,
): readonly (readonly [PluginEntry, PluginEntry])[] {
  const first = new Map<string | number, PluginEntry>();
  return entries.flatMap((entry) => {
    const before = first.get(keyOf(entry));
    if (before !== undefined) return [[before, entry] as const];
    first.set(keyOf(entry), entry);
    return [];
  });
}
