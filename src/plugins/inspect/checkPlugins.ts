import { nearestFirst } from '../../base/nearestFirst.ts';
import type { PluginsConfig } from '../../config/mergeConfig.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { infoDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginRecord } from '../pluginTypes.ts';

/** What a check-up looks at. */
export interface DoctorFacts {
  readonly plugins: readonly PluginRecord[];
  /** Of the whole runtime. */
  readonly diagnostics: readonly Diagnostic[];
  readonly config: PluginsConfig;
  /** Plugins that the user agreed to and whose folders are gone. */
  readonly lostConsents: readonly { readonly id: string; readonly rootDir: string }[];
  /** Absolute paths of folders that nothing uses any more. */
  readonly leftovers: readonly string[];
  /** Tools of plugins that no model is offered. */
  readonly hiddenTools: readonly {
    readonly name: string;
    readonly pluginId: string;
    readonly reason: string;
  }[];
}

type Check = (facts: DoctorFacts) => readonly Diagnostic[];

const checks: readonly Check[] = [findUnknownNames, findLostConsents, findLeftovers, findSlow, findHidden];

/** What nobody reports while plugins load and run. Pure. */
export function checkPlugins(facts: DoctorFacts): readonly Diagnostic[] {
  return checks.flatMap((check) => check(facts));
}

/** Names in the config that no plugin has: a slip while typing, or a plugin that is gone. */
function findUnknownNames({ config, plugins }: DoctorFacts): readonly Diagnostic[] {
  const known = [...new Set(plugins.map(({ id }) => id))];
  const places: readonly (readonly [string, readonly string[]])[] = [
    ['entries', Object.keys(config.entries)],
    ['allow', config.allow],
    ['deny', config.deny],
    ...Object.entries(config.slots).map(
      ([slot, id]) => [`slots.${slot}`, id === 'none' ? [] : [id]] as const,
    ),
  ];
  return places.flatMap(([place, ids]) =>
    ids
      .filter((id) => !known.includes(id))
      .map((id) => {
        const message = `Your config names a plugin "${id}" in plugins.${place} that is not here.`;
        const hint = `Correct it, remove it, or leave it for another workspace.${guess(id, known)}`;
        return warnDiagnostic('config_plugin_unknown', message, { hint });
      }),
  );
}

function guess(id: string, known: readonly string[]): string {
  const [nearest] = nearestFirst(id, known);
  return nearest === undefined ? '' : ` The nearest name is "${nearest}".`;
}

function findLostConsents({ lostConsents }: DoctorFacts): readonly Diagnostic[] {
  return lostConsents.map(({ id, rootDir }) => {
    const message = `You agreed to run plugin "${id}" of ${rootDir}, which is gone.`;
    const hint = 'pincer plugins doctor --fix forgets it.';
    return infoDiagnostic('consent_lost', message, { hint });
  });
}

function findLeftovers({ leftovers }: DoctorFacts): readonly Diagnostic[] {
  const hint = 'pincer plugins doctor --fix removes it.';
  return leftovers.map((source) =>
    infoDiagnostic('plugin_leftover', `Nothing uses ${source} any more.`, { source, hint }),
  );
}

/** Milliseconds; more would be felt at the start of a window. */
const slow = 200;

function findSlow({ plugins }: DoctorFacts): readonly Diagnostic[] {
  return plugins.flatMap(({ id, source, timings }) => {
    const ms = Math.round((timings?.loadMs ?? 0) + (timings?.registerMs ?? 0));
    if (ms <= slow) return [];
    const hint = 'The first load of TypeScript is slow. If it stays so, ship the plugin compiled.';
    return [
      warnDiagnostic('plugin_slow', `Plugin ${id} took ${String(ms)} ms to load.`, {
        pluginId: id,
        source,
        hint,
      }),
    ];
  });
}

function findHidden({ hiddenTools }: DoctorFacts): readonly Diagnostic[] {
  const hint = 'If you want it, change tools.allow or tools.deny in your config.';
  return hiddenTools.map(({ name, pluginId, reason }) =>
    infoDiagnostic('tool_hidden', `Tool ${name} is hidden: ${reason}`, { pluginId, hint }),
  );
}
