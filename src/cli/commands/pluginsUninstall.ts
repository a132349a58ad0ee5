import type { PluginsConfig } from '../../config/mergeConfig.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertFact } from '../inert.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { confirmInTerminal, type ConfirmOptions } from './pluginsConfirm.ts';

/** `pincer plugins uninstall <id>`: removes what `install` has put there. */
export async function runPluginsUninstall(
  options: CliOptions & ConfirmOptions,
  id: string,
  output: Output,
): Promise<ExitCode> {
  const { loadConfig, uninstallPlugin } = await import('../../runtime/index.ts');
  return await withRuntime(options, output, async (runtime) => {
    const { fs } = runtime.host;
    const removed = await uninstallPlugin(
      {
        fs,
        home: runtime.workspace.home,
        others: runtime.plugins.plugins(),
        confirm: async ({ record, folder }) => {
          const version = record.pluginVersion === undefined ? '' : ` ${record.pluginVersion}`;
          const what = `${id}${version} in ${folder}, installed ${record.installedAt} from ${record.source}`;
          output.err(`${inertFact(what)}\n`);
          return await confirmInTerminal(options, `Remove ${id}?`);
        },
      },
      id,
    );
    if (removed) await runtime.workspace.reloadConfig();
    const { config } = await loadConfig(fs, { home: runtime.workspace.home, folders: [] });
    const configKeys = removed ? keysNaming(config.plugins, id) : [];
    if (options.json === true) output.out(toJson({ id, removed, configKeys }));
    else output.out(removed ? describeRemoved(id, configKeys) : 'Nothing was removed.\n');
    return removed ? exitCodes.ok : exitCodes.cancelled;
  });
}

/** Keys of the user's config that speak of the plugin; they stay, in case it comes back. */
function keysNaming({ entries, allow, deny, slots }: PluginsConfig, id: string): readonly string[] {
  const filled = Object.entries(slots).filter(([, holder]) => holder === id);
  return [
    ...(Object.hasOwn(entries, id) ? [`plugins.entries.${id}`] : []),
    ...(allow.includes(id) ? ['plugins.allow'] : []),
    ...(deny.includes(id) ? ['plugins.deny'] : []),
    ...filled.map(([slot]) => `plugins.slots.${slot}`),
  ];
}

function describeRemoved(id: string, configKeys: readonly string[]): string {
  const rest = configKeys.length === 0 ? '' : `Your config still speaks of it: ${configKeys.join(', ')}\n`;
  return `${id} is removed. What it has stored for itself stays.\n${rest}`;
}
