import type { Command } from 'commander';
import { exitCodes, type ExitCode } from './exitCodes.ts';
import type { Output } from './output.ts';
import { withRuntime, type CliOptions } from './withRuntime.ts';

/** True where what was typed is none of the program's own commands, or help, which lists those of plugins, too. */
export function needsPlugins(program: Command, args: readonly string[]): boolean {
  const { operands } = program.parseOptions([...args]);
  const [name] = operands;
  if (name === undefined) return args.some((each) => each === '--help' || each === '-h');
  return !program.commands.some((command) => command.name() === name || command.aliases().includes(name));
}

/** Adds the commands of plugins to the program and runs it while their runtime is open. */
export async function runPluginCommand(
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
