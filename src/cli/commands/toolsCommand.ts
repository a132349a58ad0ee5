import { ownerId, describeOwner } from '../../tools/describeOwner.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, toTable, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { nearestFirst } from '../../base/nearestFirst.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { CommandExplanation } from '../../runtime/explainCommand.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { ToolCatalog } from '../../tools/catalog.ts';
import { displayLines } from '../../tools/displayLines.ts';
import { describeVerdict } from '../../tools/policy/describeVerdict.ts';
import type { ToolExplanation } from '../../tools/policy/explainTool.ts';
import { inertJson } from '../inert.ts';

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

/** What `pincer tools explain exec` may be asked about. */
interface CommandOptions {
  readonly command?: string;
  /** A file with one command on each line. */
  readonly commands?: string;
}

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
    const catalog = runtime.tools.catalogFor(runtime.conversations.create());
    const found = catalog.explain(name);
    if (found.length === 0) throw unknownTool(name, catalog);
    problems.show(catalog.diagnostics());
    const diagnostics = [...runtime.workspace.diagnostics(), ...catalog.diagnostics()];
    output.out(
      options.json === true
        ? toJson({ tools: found.map(toJsonValue), diagnostics })
        : found.map(toText).join('\n'),
    );
    return exitCodes.ok;
  });
}

function toJsonValue({ tool, hidden, layers }: ToolExplanation): unknown {
  const { name, label, optional, owner, display } = tool;
  return {
    name,
    label,
    ...(display === undefined ? {} : { display }),
    owner: ownerId(owner),
    optional,
    offered: hidden === undefined,
    ...(hidden === undefined ? {} : { code: hidden.code, reason: hidden.reason }),
    ...(hidden?.layer === undefined ? {} : { layer: hidden.layer }),
    layers: layers.map(({ label: layer, kind, ...entry }) => ({ layer, verdict: kind, ...entry })),
  };
}

function toText({ tool, hidden, layers }: ToolExplanation): string {
  const state = hidden === undefined ? 'Agents can use it.' : `Hidden: ${hidden.reason}.`;
  const about = [tool.display?.description ?? [], displayLines(tool)]
    .flat(2)
    .map((line) => `${line}\n`)
    .join('');
  const verdicts =
    layers.length === 0
      ? 'No config or profile mentions it.\n'
      : toTable(layers.map((layer) => [layer.label, describeVerdict(layer)]));
  return `${toTable([[tool.name, tool.label, describeOwner(tool.owner)]])}${about}${state}\n\n${verdicts}`;
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

/** Which commands are asked about; undefined where none are. @throws PincerError `commands_unreadable`, `option_invalid` */
async function readCommands(
  tool: string,
  { command, commands }: CommandOptions,
): Promise<readonly string[] | undefined> {
  if (command === undefined && commands === undefined) return undefined;
  if (tool !== 'exec') {
    throw new PincerError('option_invalid', `${tool} runs no commands.`, {
      hint: 'pincer tools explain exec --command "git status"',
    });
  }
  if (commands === undefined) return [command ?? ''];
  try {
    const lines = (await readFile(resolve(commands), 'utf8')).split(/\r?\n/u);
    return lines.filter((line) => line.trim() !== '');
  } catch (error) {
    throw new PincerError('commands_unreadable', `${commands} can't be read: ${errorMessage(error)}`, {
      hint: 'Give a text file with one command on each line.',
      cause: error,
    });
  }
}

/** Says what would happen to each; in lines of JSON where a file or `--json` asks for them. */
async function explainCommands(
  runtime: { readonly tools: Pick<Runtime['tools'], 'explainCommand'> },
  commands: readonly string[],
  isJson: boolean,
  output: Output,
): Promise<void> {
  const words: Readonly<Record<CommandExplanation['verdict'], string>> = {
    allow: 'runs unasked',
    ask: 'asks',
    deny: 'never runs',
  };
  for (const command of commands) {
    const found = await runtime.tools.explainCommand(command);
    output.out(
      isJson
        ? `${inertJson(JSON.stringify(found))}\n`
        : toTable([[words[found.verdict], found.command, found.reason]]),
    );
  }
}
