import { Command, CommanderError, Option } from 'commander';
import { configJsonSchema } from '../config/configSchema.ts';
import { runAgentCommand, type AgentOptions } from './commands/agentCommand.ts';
import { runPluginsEnable, runPluginsList } from './commands/pluginsCommand.ts';
import { runToolsList } from './commands/toolsCommand.ts';
import { exitCodes, type ExitCode } from './exitCodes.ts';
import { toErrorText, toJson, type Output } from './output.ts';
import type { CliOptions } from './openCliRuntime.ts';

type Action = (options: CliOptions & { readonly json?: boolean }, argument: string) => Promise<ExitCode>;

/** The whole command line. `run` never exits the process: it gives the exit code. */
export function createProgram(output: Output): { run(args: readonly string[]): Promise<ExitCode> } {
  let code: ExitCode = exitCodes.ok;
  const act =
    (action: Action) =>
    async (...given: unknown[]): Promise<void> => {
      const command = given.at(-1) as Command;
      const argument = typeof given[0] === 'string' ? given[0] : '';
      try {
        code = await action(command.optsWithGlobals<CliOptions & { json?: boolean }>(), argument);
      } catch (error) {
        output.err(toErrorText(error));
        code = exitCodes.failed;
      }
    };

  const program = new Command('pincer')
    .description('An agent for a workspace, extended, gated and audited by plugins.')
    .option('-w, --workspace <folder>', 'workspace folder', '.')
    .option('--state-dir <folder>', 'where sessions are kept; default: below PINCER_HOME or ~/.pincer')
    .option('--json', 'print JSON')
    .option('--verbose', 'write the log to standard error')
    .exitOverride()
    .configureOutput({ writeOut: output.out, writeErr: output.err });

  program
    .command('agent')
    .description('send one message to the agent and print its answer')
    .requiredOption('-m, --message <text>', 'the message')
    .option('--model <model>', 'built-in, openai-compatible, <provider>/<model>, or replay:<file>')
    .option('--session <id>', 'go on with this session')
    .option('--record <file>', "write the model's turns to a replay file")
    .addOption(
      new Option('--approve <mode>', 'how approvals are answered; allow never answers a plugin')
        .choices(['ask', 'deny', 'allow'])
        .default('ask'),
    )
    .action(act((options) => runAgentCommand(options as AgentOptions, output)));

  const plugins = program.command('plugins').description('look at and switch plugins');
  plugins
    .command('list')
    .description('list plugins with their state and problems')
    .action(act((options) => runPluginsList(options, output)));
  plugins
    .command('enable <id>')
    .description('let a plugin run; for a workspace plugin this is your consent to its present files')
    .action(act((options, id) => runPluginsEnable(options, id, true, output)));
  plugins
    .command('disable <id>')
    .description('keep a plugin from running')
    .action(act((options, id) => runPluginsEnable(options, id, false, output)));

  const tools = program.command('tools').description('look at tools');
  tools
    .command('list')
    .description('list the tools an agent has, and which are hidden and why')
    .action(act((options) => runToolsList(options, output)));

  const config = program.command('config').description('look at the config');
  config
    .command('schema')
    .description('print the JSON schema of config.jsonc')
    .action(() => output.out(toJson(configJsonSchema())));

  return {
    async run(args) {
      try {
        await program.parseAsync([...args], { from: 'user' });
        return code;
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
      }
    },
  };
}
