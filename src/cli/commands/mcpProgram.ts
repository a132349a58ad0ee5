import { readFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import { approvalModes } from '../../approvals/decideMode.ts';
import { PincerError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { userConfigPath } from '../../config/configPaths.ts';
import { describeBrings, describeStart } from '../../mcp/describeInspection.ts';
import type { Inspection } from '../../mcp/mcpServers.ts';
import { toolNameOf } from '../../mcp/toolOfServer.ts';
import { describeNews, describeTools } from '../../mcp/toolsText.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { createApprover } from '../createApprover.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertFact } from '../inert.ts';
import { toJson, toTable, type Output } from '../output.ts';
import { withInterrupt } from '../withInterrupt.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { confirmInTerminal, type ConfirmOptions } from './pluginsConfirm.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { ToolResult } from '../../contracts/tool.ts';
import type { Session } from '../../sessions/session.ts';
import { Writable } from 'node:stream';

interface AgreeOptions extends ConfirmOptions {
  /** The tools that agents get, in place of all that were not left out before. */
  readonly tools?: readonly string[];
}

type McpOptions = CliOptions & AgreeOptions & { readonly name?: string; readonly file?: string };
type Action = (options: CliOptions, argument: string) => Promise<ExitCode>;

/** Adds `pincer mcp …`. `act` makes a commander action of a command. */
export function addMcpCommands(
  program: Command,
  act: (action: Action) => (...given: unknown[]) => Promise<void>,
  output: Output,
): void {
  const approveOption = (): Option =>
    new Option('--approve <mode>', 'approval mode, overrides the config; allow is the same as full').choices([
      ...approvalModes,
      'allow',
    ]);
  const toolsOption = (): Option =>
    new Option('--tools <names>', 'consent to these tools only, separated by commas').argParser(
      (text: string) => text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()])),
    );
  const mcp = program.command('mcp').description('list, add and inspect MCP servers, and call their tools');
  mcp
    .command('list')
    .description('list MCP servers with their state and problems, without starting any')
    .action(act((options) => runMcpList(options, output)));
  mcp
    .command('add [command-or-address...]')
    .description('add a server to your config and ask for consent; pass its own options after --')
    .option('--name <name>', 'name of the server')
    .option('--file <file>', 'read the server from a JSON file of any MCP client')
    .addOption(toolsOption())
    .option('-y, --yes', 'consent to what it runs and provides, without asking')
    .action((words: readonly string[], ...rest: readonly unknown[]) =>
      act((options) => runMcpAdd(options, words, output))('', ...rest),
    );
  mcp
    .command('inspect <name>')
    .description('show what a server runs and provides, warnings and changes, and ask for consent')
    .addOption(toolsOption())
    .option('-y, --yes', 'consent to what it runs and provides, without asking')
    .action(act((options, name) => runMcpInspect(options, name, output)));
  mcp
    .command('serve')
    .description('serve memory search, tool policies and plugin diagnostics to other MCP clients over stdio')
    .action(act((options) => runMcpServe(options, output)));
  mcp
    .command('call <server> <tool> [arguments-as-json]')
    .description('call a tool as an agent would: with policy, hooks, approval and trace')
    .addOption(approveOption())
    .action((server: string, tool: string, args: string | undefined, ...rest: readonly unknown[]) =>
      act((options) => runMcpCall(options, { server, tool, args }, output))('', ...rest),
    );
}

async function runMcpList(options: CliOptions, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async ({ mcp }) => {
    await mcp.look('all');
    const servers = mcp.list();
    if (options.json === true) output.out(toJson({ servers }));
    else if (servers.length === 0) output.out('There are no MCP servers. pincer mcp add adds one.\n');
    else
      output.out(
        toTable(
          servers.map(({ name, state, target, tools, problem = '' }) => [
            name,
            state,
            String(tools.length),
            target,
            problem,
          ]),
        ),
      );
    return exitCodes.ok;
  });
}

/** @throws PincerError `mcp_snippet_unknown`, `mcp_exists`, `config_syntax` */
async function runMcpAdd(options: McpOptions, words: readonly string[], output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const text = options.file === undefined ? undefined : await readFile(options.file, 'utf8');
    const { servers, problems } = runtime.mcp.read(text ?? toLine(words));
    for (const problem of problems) output.err(`${problem}\n`);
    let code: ExitCode = servers.length === 0 ? exitCodes.failed : exitCodes.ok;
    const added: string[] = [];
    for (const found of servers) {
      const name = servers.length === 1 ? (options.name ?? found.name) : found.name;
      const wanted = await runtime.mcp.add(name, found.config);
      added.push(name);
      output.err(`${name} is in ${userConfigPath(runtime.workspace.home)}.\n`);
      for (const { variable, secret } of wanted)
        output.err(
          `${variable} is the secret ${secret}: set its value with Pincer: Add MCP Server… in VS Code, or name a variable in your config.\n`,
        );
      const agreed = await agree(runtime, options, name, output);
      if (!agreed) code = exitCodes.failed;
    }
    if (options.json === true)
      output.out(toJson({ servers: runtime.mcp.list().filter(({ name }) => added.includes(name)) }));
    return code;
  });
}

/** What the shell has split is put together again as `readServers` takes it apart. */
function toLine(words: readonly string[]): string {
  return words.length === 1
    ? (words[0] ?? '')
    : words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
}

async function runMcpInspect(options: McpOptions, name: string, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const isForPrograms = options.json === true;
    const agreed = isForPrograms && options.yes !== true ? true : await agree(runtime, options, name, output);
    if (isForPrograms) output.out(toJson(await runtime.mcp.inspect(name)));
    return agreed ? exitCodes.ok : exitCodes.failed;
  });
}

/** Shows what it runs, then what it brings, and asks about each where nobody has agreed to it. */
async function agree(
  { mcp }: Pick<Runtime, 'mcp'>,
  options: AgreeOptions,
  name: string,
  output: Output,
): Promise<boolean> {
  const start = await mcp.inspect(name);
  output.err(lines(describeStart(start)));
  if (!start.mayStart) {
    if (!(await confirmInTerminal(options, `Start ${name}?`))) return false;
    await mcp.agreeToStart(name, start.launchHash);
  }
  const seen = await mcp.inspect(name).catch((error: unknown) => {
    output.err(lines(mcp.log(name).slice(-10)));
    throw error;
  });
  output.err(lines(describeBrings(seen)));
  output.err(describeNews(seen));
  const { brings } = seen;
  if (brings === undefined) return false;
  if (brings.isAgreed && options.tools === undefined) return true;
  output.err(lines(describeChoice(seen, options.tools)));
  if (!(await confirmInTerminal(options, `Let agents have these tools of ${name}?`))) return false;
  await mcp.agreeToTools(name, brings.toolsHash, options.tools);
  return true;
}

/**
 * What a yes is for, tool by tool. What somebody had left out and has named now is shown whole: it may have become something else since.
 * @throws PincerError `option_invalid`
 */
function describeChoice(seen: Inspection, chosen: readonly string[] | undefined): readonly string[] {
  const { tools = [], leftOut = [] } = seen.brings ?? {};
  const names = tools.map(({ tool }) => tool.name);
  const unknown = chosen?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0)
    throw new PincerError(
      'option_invalid',
      `${seen.name} has no tool ${unknown.map(inertFact).join(', ')}.`,
      {
        hint: `It has: ${names.map(inertFact).join(', ')}.`,
      },
    );
  const isGiven = (name: string): boolean => chosen?.includes(name) ?? !leftOut.includes(name);
  const list = (label: string, given: boolean): readonly string[] => {
    const found = names.filter((name) => isGiven(name) === given);
    return found.length === 0 ? [] : [`${label}: ${found.map(inertFact).join(', ')}`];
  };
  return [
    ...leftOut.filter((name) => chosen?.includes(name)).map((name) => describeTools(seen, name).trimEnd()),
    ...list('Agents get', true),
    ...list('Agents do not get', false),
  ];
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}

interface WantedCall {
  readonly server: string;
  readonly tool: string;
  readonly args: string | undefined;
}

/** @throws PincerError `option_invalid` */
async function runMcpCall(
  options: CliOptions,
  { server, tool, args = '{}' }: WantedCall,
  output: Output,
): Promise<ExitCode> {
  const parsed = parseJson(args);
  if (!isRecord(parsed))
    throw new PincerError('option_invalid', 'The arguments are not a JSON object.', {
      hint: `Write them as '{ "path": "a.md" }'.`,
    });
  return await withRuntime(options, output, async (runtime) => {
    const cancel = new AbortController();
    const terminal = { input: process.stdin, output: process.stderr };
    const emit = createApprover(runtime, terminal, { interrupt: () => cancel.abort(), err: output.err });
    let code: ExitCode = exitCodes.failed;
    await withInterrupt(async (interrupted) => {
      const { content, text, isError } = await callOnce(runtime, {
        session: runtime.conversations.create(),
        name: toolNameOf(server, tool),
        args: parsed,
        signal: AbortSignal.any([interrupted, cancel.signal]),
        emit,
      });
      code = isError ? exitCodes.failed : exitCodes.ok;
      output.out(options.json === true ? toJson({ content, isError }) : lines([text]));
    });
    return code;
  });
}

interface OneCall {
  readonly session: Session;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Gets every event of the turn. */
  readonly emit?: (event: AgentEvent) => void;
}

interface CalledOnce {
  readonly content: ToolResult['content'];
  readonly text: string;
  readonly isError: boolean;
}

/** A turn in which a script asks for the one call: it goes the way of every other. @throws PincerError where the turn failed */
async function callOnce(
  runtime: Pick<Runtime, 'host' | 'turns'>,
  { session, name, args, signal, emit }: OneCall,
): Promise<CalledOnce> {
  const { createReplayModel } = await import('../../runtime/index.ts');
  const script = `${JSON.stringify({ toolCalls: [{ name, arguments: args }] })}\n${JSON.stringify({ text: 'Done.' })}`;
  const model = createReplayModel({ script, name: 'one call', clock: runtime.host.clock });
  let called: CalledOnce | undefined;
  const run = await runtime.turns.start({
    session,
    prompt: `Call ${name}.`,
    attachments: [],
    model,
    signal,
    emit(event) {
      emit?.(event);
      if (event.type !== 'tool_ended') return;
      const { content, isError } = event.result;
      const text = content
        .map((part) => (part.type === 'text' ? part.text : `[${part.mimeType}]`))
        .join('\n');
      called = { content, text, isError };
    },
  });
  const outcome = await run.outcome;
  if (outcome.status === 'failed') throw new PincerError(outcome.code, outcome.message);
  await run.settled;
  return called ?? { content: [], text: 'It was not called.', isError: true };
}

/** `pincer mcp serve`: what Pincer knows, for any client, over standard input and output, until the client goes. */
async function runMcpServe(options: CliOptions, output: Output): Promise<ExitCode> {
  // What a plugin prints would be read as a message of the protocol.
  return await withRuntime({ ...options, json: true }, output, async (runtime) => {
    const { serveTools } = await import('../../mcp/server/index.ts');
    const serving = serveTools({
      tools: runtime.mcp.served,
      input: process.stdin,
      output: new Writable({
        decodeStrings: false,
        write(chunk: string | Buffer, _encoding, done) {
          output.out(String(chunk));
          done();
        },
      }),
      version: '1',
      log: (text) => output.err(`${text}\n`),
    });
    await withInterrupt(async (interrupted) => {
      const stop = new Promise<void>((resolve) => {
        interrupted.addEventListener('abort', () => resolve(), { once: true });
      });
      await Promise.race([serving.ended, stop]);
    });
    await serving.close();
    return exitCodes.ok;
  });
}
