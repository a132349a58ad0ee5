import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { openCliRuntime, type CliOptions } from '../openCliRuntime.ts';
import { toJson, toTable, type Output } from '../output.ts';

/** `pincer tools list`: what an agent has, and what is hidden and why. */
export async function runToolsList(
  options: CliOptions & { readonly json?: boolean },
  output: Output,
): Promise<ExitCode> {
  const runtime = await openCliRuntime(options, output);
  try {
    const catalog = runtime.toolsFor(runtime.createSession());
    const tools = catalog.tools().map(({ name, description, owner }) => ({
      name,
      description,
      owner: owner.kind === 'core' ? 'core' : owner.pluginId,
    }));
    const hidden = catalog.hidden().map(({ name, reason }) => ({ name, reason }));
    if (options.json === true) output.out(toJson({ tools, hidden }));
    else {
      output.out(
        toTable(tools.map((tool) => [tool.name, tool.owner, tool.description.split('\n')[0] ?? ''])),
      );
      if (hidden.length > 0)
        output.out(`\nHidden:\n${toTable(hidden.map((tool) => [tool.name, tool.reason]))}`);
    }
    return exitCodes.ok;
  } finally {
    await runtime.stop('shutdown');
  }
}
