import { ownerId } from '../../tools/describeOwner.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, toTable, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';

/** `pincer tools list`: what an agent has, and what is hidden and why. */
export async function runToolsList(options: CliOptions, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, (runtime, problems) => {
    const catalog = runtime.tools.catalogFor(runtime.conversations.create());
    const tools = catalog
      .tools()
      .map(({ name, description, owner }) => ({ name, description, owner: ownerId(owner) }));
    const hidden = catalog.hidden().map((tool) => ({ ...tool, owner: ownerId(tool.owner) }));
    problems.show(catalog.diagnostics());
    if (options.json === true) {
      const diagnostics = [...runtime.workspace.diagnostics(), ...catalog.diagnostics()];
      output.out(toJson({ tools, hidden, diagnostics }));
    } else {
      if (tools.length === 0) output.out('An agent has no tools.\n');
      output.out(toTable(tools.map((tool) => [tool.name, tool.owner, firstLine(tool.description)])));
      if (hidden.length > 0)
        output.out(`\nHidden:\n${toTable(hidden.map((tool) => [tool.name, tool.owner, tool.reason]))}`);
    }
    return Promise.resolve(exitCodes.ok);
  });
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
