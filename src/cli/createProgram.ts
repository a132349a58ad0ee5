import { Command, CommanderError, Option } from 'commander';
import { approvalModes } from '../approvals/decideMode.ts';
import { configJsonSchema } from '../config/configSchema.ts';
import { thinkingLevels } from '../config/sections/thinkingLevels.ts';
import { runAgentCommand, type AgentOptions } from './commands/agentCommand.ts';
import { runBundleCommand, runCompileCommand } from './commands/bundleCommand.ts';
import { addApprovalsCommands } from './commands/approvalsProgram.ts';
import { addChannelsCommands } from './commands/channelsProgram.ts';
import { addCronCommands } from './commands/cronProgram.ts';
import { runGatewayCommand, runGatewayStatus } from './commands/gatewayCommand.ts';
import { runGatewayBrowsers, runGatewayPair, runGatewayRevoke } from './commands/gatewayBrowsers.ts';
import { runHooksList, runHooksSwitch, runHooksTrace, type TraceOptions } from './commands/hooksCommand.ts';
import { addMcpCommands } from './commands/mcpProgram.ts';
import { addMemoryCommands } from './commands/memoryProgram.ts';
import { addModelsCommands } from './commands/modelsProgram.ts';
import { addPluginsCommands } from './commands/pluginsProgram.ts';
import { addSessionsCommands } from './commands/sessionsProgram.ts';
import { runToolsList, runToolsExplain } from './commands/toolsCommand.ts';
import { readTemperature, wholeNumber } from './readNumber.ts';
import { exitCodeOfError, exitCodes, type ExitCode } from './exitCodes.ts';
import { toErrorText, toJson, toTerminal, type Output } from './output.ts';
import { addTenantOptions } from './tenantOptions.ts';
import { toProblem } from './toProblem.ts';
import { type CliOptions, withRuntime } from './withRuntime.ts';

type Action = (options: CliOptions, argument: string) => Promise<ExitCode>;

const helpEnd = `
Environment:
  PINCER_HOME           folder to use instead of ~/.pincer
  PINCER_BASE_URL       server of --model openai-compatible, such as http://localhost:11434/v1
  PINCER_MODEL          the server's name for the model
  PINCER_API_KEY        its API key, if it needs one
  PINCER_GATEWAY_TOKEN  token that clients of pincer gateway run must send; at least 32 random bytes
  PINCER_MCP_TOKEN      token for MCP clients, valid for /mcp only; at least 32 random bytes, and a different one
  DEXTO_RUNTIME         serverless: plugins come only from --bundle; home and state are temporary

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 blocked by a plugin, 130 cancelled`;

/** The whole command line. `run` never exits the process: it gives the exit code. `version` is what --version prints. */
export function createProgram(
  streams: Output,
  version = 'unknown',
): { run(args: readonly string[]): Promise<ExitCode> } {
  const output = toTerminal(streams);
  let code: ExitCode = exitCodes.ok;
  const act =
    (action: Action) =>
    async (...given: unknown[]): Promise<void> => {
      const options = (given.at(-1) as Command).optsWithGlobals<CliOptions>();
      try {
        code = await action(options, typeof given[0] === 'string' ? given[0] : '');
      } catch (error) {
        code = fail(error, options.json === true);
      }
    };
  const fail = (error: unknown, asJson: boolean): ExitCode => {
    const problem = toProblem(error);
    if (asJson) output.out(toJson({ error: problem }));
    output.err(toErrorText(problem));
    return exitCodeOfError(problem.code);
  };

  const program = new Command('pincer')
    .description('An agent for a workspace, extended, gated and audited by plugins.')
    .option('-w, --workspace <folder>', 'workspace folder', '.')
    .option('--state-dir <folder>', 'folder for sessions; default: below PINCER_HOME or ~/.pincer')
    .option('--json', 'print JSON, also for errors')
    .option('--verbose', 'write the log to standard error')
    .version(version, '-V, --version', 'print the version')
    .addHelpText('afterAll', helpEnd)
    .exitOverride()
    .configureOutput({ writeOut: output.out, writeErr: output.err });

  const agent = program
    .command('agent')
    .description('send one message, or a command of a plugin such as "/words a b", and print the answer')
    .requiredOption('-m, --message <text>', 'the message')
    .option('--model <model>', 'built-in, openai-compatible, <provider>/<model>, or replay:<file>')
    .option('--session <id>', 'continue this session, by its id or a prefix of it; --json prints the id')
    .option('--agent <id>', 'the agent of a new session, as your config names it')
    .option(
      '--bundle <file>',
      'use a file of "pincer bundle" instead of the agent file; it is code and runs with your full permissions',
    )
    .option('--agent-file <file>', 'use this agent file instead of the one of the workspace or your config')
    .option('--temperature <number>', 'from 0 to 2, for this message', readTemperature)
    .option('--max-tokens <count>', 'maximum tokens of one answer, for this message', wholeNumber)
    .addOption(new Option('--thinking <level>', 'thinking effort, for this message').choices(thinkingLevels))
    .option('--raw-stream-path <file>', "append the provider's raw stream to this file, for debugging")
    .option('--record <file>', "record the model's answers to a new replay file")
    .addOption(
      new Option(
        '--approve <mode>',
        'approval mode, overrides the config; allow is the same as full; no mode answers approvals of plugins',
      ).choices([...approvalModes, 'allow']),
    )
    .action(act((options) => runAgentCommand(options as AgentOptions, output)));
  addTenantOptions(agent);

  program
    .command('bundle')
    .description(
      'bundle an agent file and its plugins into one file for "pincer agent --bundle", without running them',
    )
    .option('--agent <file>', 'the agent file; default: .pincer/agent.yml of the workspace')
    .option('--output <file>', 'output file; default: agent-bundle.cjs')
    .addOption(
      new Option(
        '--bundler <name>',
        "use the project's own bundler, which runs with your full permissions and removes unused code",
      ).choices(['esbuild']),
    )
    .option('--minify', 'minify the output')
    .action(act((options) => runBundleCommand(options, output)));

  program
    .command('compile [folder]')
    .description(
      'compile a folder of TypeScript plugins to JavaScript, without running them; default: .pincer/hooks of the workspace',
    )
    .option('--output <folder>', 'output folder; default: dist/<name> beside it')
    .action(act((options, folder) => runCompileCommand(options, folder, output)));

  addPluginsCommands(program, act, output);
  addMcpCommands(program, act, output);
  addMemoryCommands(program, act, output);
  addModelsCommands(program, act, output);
  addSessionsCommands(program, act, output);
  addCronCommands(program, act, output);
  addChannelsCommands(program, act, output);
  addApprovalsCommands(program, act, output);

  const gateway = program.command('gateway').description('serve the agent to programs on this machine');
  gateway
    .command('run')
    .description('run the gateway of the workspace until interrupted; its token is PINCER_GATEWAY_TOKEN')
    .addOption(
      new Option(
        '--approve <mode>',
        'approval mode, overrides the config; allow is the same as full; no mode answers approvals of plugins',
      ).choices([...approvalModes, 'allow']),
    )
    .action(act((options) => runGatewayCommand(options, output)));
  gateway
    .command('status')
    .description(
      'tell where the running gateway of the workspace is, what runs there, and what a restart waits for',
    )
    .action(act((options) => runGatewayStatus(options, output)));
  gateway
    .command('pair <code>')
    .description(
      'approve the browser that shows this code; PINCER_GATEWAY_TOKEN must be the token of the gateway',
    )
    .option('--deny', 'deny the browser')
    .action(act((options, code) => runGatewayPair(options, code, output)));
  gateway
    .command('browsers')
    .description('list the browsers that have access to the page of the running gateway')
    .action(act((options) => runGatewayBrowsers(options, output)));
  gateway
    .command('revoke <id>')
    .description('revoke the access of a browser; pincer gateway browsers lists the ids')
    .action(act((options, id) => runGatewayRevoke(options, id, output)));

  const hooks = program.command('hooks').description('list hooks and their handlers, and show what they did');
  hooks
    .command('list')
    .description('list hooks with their handlers in order, and operator hooks')
    .action(act((options) => runHooksList(options, output)));
  hooks
    .command('enable <name>')
    .description(
      'enable an operator hook; for one of the workspace, this is your consent to its current files',
    )
    .action(act((options, name) => runHooksSwitch(options, name, true, output)));
  hooks
    .command('disable <name>')
    .description('disable an operator hook')
    .action(act((options, name) => runHooksSwitch(options, name, false, output)));
  hooks
    .command('trace')
    .description('show the trace of the last run of the workspace: which handlers ran, and what they changed')
    .option('--run <id>', 'another run, by its id or a prefix of it')
    .action(act((options) => runHooksTrace(options, options as TraceOptions, output)));

  const tools = program.command('tools').description('list tools and explain their policy');
  tools
    .command('list')
    .description('list the tools of an agent, and why others are hidden')
    .action(act((options) => runToolsList(options, output)));
  tools
    .command('explain <name>')
    .description('explain whether an agent has a tool, by each policy layer')
    .option('--command <line>', 'for exec: explain what would happen to this command, without running it')
    .option('--commands <file>', 'the same for each line of a file, as JSON lines')
    .action(act((options, name) => runToolsExplain(options, name, output)));

  const config = program
    .command('config')
    .description('print the JSON schemas of the config and of manifests');
  config
    .command('schema')
    .description('print the JSON schema of config.jsonc')
    .action(() => output.out(toJson(configJsonSchema())));
  config
    .command('plugin-schema')
    .description('print the JSON schema of openclaw.plugin.json')
    .action(async () => {
      const { manifestJsonSchema } = await import('../runtime/index.ts');
      output.out(toJson(manifestJsonSchema()));
    });

  return {
    async run(args) {
      try {
        if (needsPlugins(program, args)) return await runPluginCommand(program, args, output);
        await program.parseAsync([...args], { from: 'user' });
        return code;
      } catch (error) {
        if (!(error instanceof CommanderError)) return fail(error, args.includes('--json'));
        if (error.exitCode === 0) return exitCodes.ok;
        if (args.includes('--json')) output.out(toJson({ error: usageProblem(error) }));
        return exitCodes.usage;
      }
    },
  };
}

/** Commander has written the same to standard error. */
function usageProblem({ code, message }: CommanderError): {
  readonly code: string;
  readonly message: string;
} {
  const isHelp = code === 'commander.help';
  return { code: 'usage', message: isHelp ? 'A command is missing.' : message.replace(/^error: /u, '') };
}

/** True where what was typed is none of the program's own commands, or help, which lists those of plugins, too. */
function needsPlugins(program: Command, args: readonly string[]): boolean {
  const { operands } = program.parseOptions([...args]);
  const [name] = operands;
  if (name === undefined) return args.some((each) => each === '--help' || each === '-h');
  return !program.commands.some((command) => command.name() === name || command.aliases().includes(name));
}

/** Adds the commands of plugins to the program and runs it while their runtime is open. */
async function runPluginCommand(
  program: Command,
  args: readonly string[],
  output: Output,
): Promise<ExitCode> {
  return await withRuntime(program.opts<CliOptions>(), output, async (runtime, problems) => {
    problems.show(await runtime.plugins.addCliCommands(program));
    await program.parseAsync([...args], { from: 'user' });
    return exitCodes.ok;
  });
}
