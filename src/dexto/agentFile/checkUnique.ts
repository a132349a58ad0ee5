import type { PluginEntry } from './agentFile.ts';
import type { KeyPath } from './parseAgentYaml.ts';
import type { Report } from './report.ts';

/** A plugin and where it stands in the file. */
export interface PlacedPlugin {
  readonly path: KeyPath;
  readonly entry: PluginEntry;
}

/** Names are unique; so are the priorities of what is switched on, over built-in and custom plugins (Dexto plugin specification, Priority System). */
export function checkUnique(plugins: readonly PlacedPlugin[], report: Report): void {
  for (const [first, second] of clashes(plugins, ({ name }) => name)) {
    report.add({
      level: 'error',
      code: 'agent_file_plugin_twice',
      path: second.path,
      at: 'key',
      message: `Two plugins are called "${second.entry.name}" (lines ${first.entry.line} and ${second.entry.line}).`,
      hint: 'Give one of them another name.',
    });
  }
  const enabled = plugins.filter(({ entry }) => entry.enabled);
  const free = Math.max(0, ...plugins.map(({ entry }) => entry.priority)) + 1;
  for (const [first, second] of clashes(enabled, ({ priority }) => priority)) {
    report.add({
      level: 'error',
      code: 'agent_file_priority_twice',
      path: [...second.path, 'priority'],
      message:
        `${first.entry.name} (line ${first.entry.line}) and ${second.entry.name} (line ${second.entry.line}) ` +
        `both have priority ${second.entry.priority}.`,
      hint: `Give each plugin a priority of its own, such as ${free}; lower runs first.`,
    });
  }
}

/** Each plugin with the first one before it that has the same. */
function clashes(
  plugins: readonly PlacedPlugin[],
  valueOf: (entry: PluginEntry) => string | number,
): readonly (readonly [PlacedPlugin, PlacedPlugin])[] {
  const firsts = new Map<string | number, PlacedPlugin>();
  return plugins.flatMap((plugin): readonly (readonly [PlacedPlugin, PlacedPlugin])[] => {
    const value = valueOf(plugin.entry);
    const first = firsts.get(value);
    if (first !== undefined) return [[first, plugin]];
    firsts.set(value, plugin);
    return [];
  });
}
