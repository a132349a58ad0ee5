import { describeDiagnostic } from '../../base/describeDiagnostic.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { openCliRuntime, type CliOptions } from '../openCliRuntime.ts';
import { toJson, toTable, type Output } from '../output.ts';

/** `pincer plugins list`: every plugin, what it brought, and what is wrong. */
export async function runPluginsList(
  options: CliOptions & { readonly json?: boolean },
  output: Output,
): Promise<ExitCode> {
  const runtime = await openCliRuntime(options, output);
  try {
    const plugins = runtime.plugins.plugins();
    const diagnostics = runtime.diagnostics();
    if (options.json === true) output.out(toJson({ plugins, diagnostics }));
    else {
      output.out(
        plugins.length === 0
          ? 'No plugins found.\n'
          : toTable(plugins.map((each) => [each.id, each.origin, each.status, each.reason])),
      );
      for (const each of diagnostics) output.err(`${each.level}: ${describeDiagnostic(each)}\n`);
    }
    return exitCodes.ok;
  } finally {
    await runtime.stop('shutdown');
  }
}

/** `pincer plugins enable|disable <id>`. */
export async function runPluginsEnable(
  options: CliOptions & { readonly json?: boolean },
  id: string,
  isEnabled: boolean,
  output: Output,
): Promise<ExitCode> {
  const runtime = await openCliRuntime(options, output);
  try {
    await runtime.setPluginEnabled(id, isEnabled);
    const plugin = runtime.plugins.plugins().find((each) => each.id === id);
    if (options.json === true) output.out(toJson(plugin ?? { id }));
    else
      output.out(
        `${id}: ${plugin?.status ?? 'unknown'}${plugin === undefined ? '' : ` (${plugin.reason})`}\n`,
      );
    return plugin?.status === 'error' ? exitCodes.failed : exitCodes.ok;
  } finally {
    await runtime.stop('shutdown');
  }
}
