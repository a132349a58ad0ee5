import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, toTable, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { describeConsent } from './pluginsText.ts';

/** `pincer plugins list`: every plugin, what it brought, and what is wrong. */
export async function runPluginsList(options: CliOptions, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, (runtime, problems) => {
    const plugins = runtime.plugins.plugins();
    const diagnostics = runtime.workspace.diagnostics();
    // The table says it for each plugin that is off.
    problems.show(diagnostics.filter(({ code }) => code !== 'plugin_disabled'));
    if (options.json === true) output.out(toJson({ plugins, diagnostics }));
    else if (plugins.length === 0) output.out('No plugins found.\n');
    else {
      output.out(toTable(plugins.map((each) => [each.id, each.origin, each.status, each.reason])));
      for (const plugin of plugins) {
        if (plugin.needsConsent !== undefined) output.out(describeConsent(plugin));
      }
    }
    return Promise.resolve(exitCodes.ok);
  });
}
