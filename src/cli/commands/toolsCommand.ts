import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, toTable, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';

/** `pincer tools list`: what an agent has, and what is hidden and why. */
export async function runToolsList(options: CliOptions, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, (runtime, problems) => {
    const catalog = runtime.toolsFor(runtime.createSession());
    const tools = catalog.tools().map(({ name, description, owner }) => ({
      name,
      description,
      owner: owner.kind === 'core' ? 'core' : owner.pluginId,
    }));
    const hidden = catalog.hidden().map(({ name, reason }) => ({ name, reason }));
    problems.show(catalog.diagnostics());
    if (options.json === true) {
      const diagnostics = [...runtime.diagnostics(), ...catalog.diagnostics()];
      output.out(toJson({ tools, hidden, diagnostics }));
    } else {
      output.out(toTable(tools.map((tool) => [tool.name, tool.owner, firstLine(tool.description)])));
      if (hidden.length > 0)
        output.out(`\nHidden:\n${toTable(hidden.map((tool) => [tool.name, tool.reason]))}`);
    }
    return Promise.resolve(exitCodes.ok);
  });
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
