import { nearestFirst } from '../../base/nearestFirst.ts';
import { PincerError } from '../../base/errors.ts';
import type { ToolCatalog } from '../../tools/catalog.ts';
import { describeOwner } from '../../tools/describeOwner.ts';
import { describeVerdict } from '../../tools/policy/describeVerdict.ts';
import type { ToolExplanation } from '../../tools/policy/explainTool.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, toTable, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { explainCommands, readCommands, type CommandOptions } from './commandExplain.ts';

/**
 * `pincer tools explain NAME`: whether an agent has a tool, and what each layer of the policy says about it; for `exec` also what would
 * happen to a command.
 * @throws PincerError `tool_unknown`, `commands_unreadable`, `option_invalid`
 */
export async function runToolsExplain(
  options: CliOptions & CommandOptions,
  name: string,
  output: Output,
): Promise<ExitCode> {
  const commands = await readCommands(name, options);
  return await withRuntime(options, output, async (runtime, problems) => {
    if (commands !== undefined) {
      const isJson = options.json === true || options.commands !== undefined;
      await explainCommands(runtime, commands, isJson, output);
      return exitCodes.ok;
    }
    const catalog = runtime.toolsFor(runtime.createSession());
    const found = catalog.explain(name);
    if (found.length === 0) throw unknownTool(name, catalog);
    problems.show(catalog.diagnostics());
    const diagnostics = [...runtime.diagnostics(), ...catalog.diagnostics()];
    output.out(
      options.json === true
        ? toJson({ tools: found.map(toJsonValue), diagnostics })
        : found.map(toText).join('\n'),
    );
    return exitCodes.ok;
  });
}

function toJsonValue({ tool, hidden, layers }: ToolExplanation): unknown {
  const { name, label, optional, owner } = tool;
  return {
    name,
    label,
    owner: owner.kind === 'core' ? 'core' : owner.pluginId,
    optional,
    offered: hidden === undefined,
    ...(hidden === undefined ? {} : { code: hidden.code, reason: hidden.reason }),
    ...(hidden?.layer === undefined ? {} : { layer: hidden.layer }),
    layers: layers.map(({ label: layer, kind, ...entry }) => ({ layer, verdict: kind, ...entry })),
  };
}

function toText({ tool, hidden, layers }: ToolExplanation): string {
  const state = hidden === undefined ? 'An agent has it.' : `Hidden: ${hidden.reason}.`;
  const verdicts =
    layers.length === 0
      ? 'No config and no profile says anything about it.\n'
      : toTable(layers.map((layer) => [layer.label, describeVerdict(layer)]));
  return `${toTable([[tool.name, tool.label, describeOwner(tool.owner)]])}${state}\n\n${verdicts}`;
}

function unknownTool(name: string, catalog: ToolCatalog): PincerError {
  const names = [...catalog.tools(), ...catalog.hidden()].map((tool) => tool.name);
  const nearest = nearestFirst(name, names).slice(0, 3);
  return new PincerError('tool_unknown', `There is no tool "${name}".`, {
    hint:
      nearest.length === 0
        ? 'pincer tools list shows all.'
        : `Did you mean ${nearest.join(', ')}? pincer tools list shows all.`,
  });
}
