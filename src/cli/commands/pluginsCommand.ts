import { nearestFirst } from '../../base/nearestFirst.ts';
import { PincerError } from '../../base/errors.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, toTable, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';

/** `pincer plugins list`: every plugin, what it brought, and what is wrong. */
export async function runPluginsList(options: CliOptions, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, (runtime, problems) => {
    const plugins = runtime.plugins.plugins();
    const diagnostics = runtime.diagnostics();
    problems.show(diagnostics);
    if (options.json === true) output.out(toJson({ plugins, diagnostics }));
    else if (plugins.length === 0) output.out('No plugins found.\n');
    else {
      output.out(toTable(plugins.map((each) => [each.id, each.origin, each.status, each.reason])));
      for (const plugin of plugins) if (plugin.needsConsent !== undefined) output.out(describeAsks(plugin));
    }
    return Promise.resolve(exitCodes.ok);
  });
}

/** `pincer plugins enable|disable <id>`. Succeeds where the plugin is then loaded, or not loaded. */
export async function runPluginsSwitch(
  options: CliOptions,
  id: string,
  isEnabled: boolean,
  output: Output,
): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const before = findPlugin(runtime, id);
    if (isEnabled && before.needsConsent !== undefined) output.err(describeAsks(before));
    await runtime.setPluginEnabled(id, isEnabled);
    const plugin = findPlugin(runtime, id);
    if (options.json === true) output.out(toJson({ plugin, diagnostics: runtime.diagnostics() }));
    else output.out(`${id}: ${plugin.status} (${plugin.reason})\n`);
    return (plugin.status === 'loaded') === isEnabled ? exitCodes.ok : exitCodes.failed;
  });
}

/** Of several with one id, the one that runs. */
function findPlugin(runtime: Runtime, id: string): PluginRecord {
  const plugins = runtime.plugins.plugins();
  const found = plugins.filter((each) => each.id === id);
  const plugin = found.find((each) => each.status === 'loaded') ?? found[0];
  if (plugin !== undefined) return plugin;
  const names = nearestFirst(
    id,
    plugins.map((each) => each.id),
  );
  throw new PincerError('plugin_unknown', `There is no plugin ${id}.`, {
    hint: names.length === 0 ? 'No plugins were found here.' : `There are: ${names.join(', ')}.`,
  });
}

/** What enabling a plugin of the workspace agrees to (rulings P4). */
function describeAsks({ id, asks, needsConsent }: PluginRecord): string {
  const list = (names: readonly string[] = []): string =>
    names.length === 0 ? 'none found' : names.join(', ');
  return [
    `\n${id} comes with this workspace. Enabling it lets it run with your rights, outside any sandbox.`,
    `  tools: ${list(asks?.tools)}`,
    `  hooks: ${list(asks?.hooks)}`,
    `  reaches: ${list(asks?.reaches)}`,
    ...(asks?.conversation === true ? ['  It wants to read what is said.'] : []),
    ...(needsConsent?.why === 'files-changed'
      ? [`  changed since you enabled it: ${list(needsConsent.changedFiles)}`]
      : []),
    '',
  ].join('\n');
}
