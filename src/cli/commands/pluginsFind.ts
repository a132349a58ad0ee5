import { PincerError } from '../../base/errors.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/runtime.ts';

/** The plugin of an id; of several, the one that runs. @throws PincerError `plugin_unknown` */
export function findPlugin(runtime: Pick<Runtime, 'plugins'>, id: string): PluginRecord {
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
