import type { Command } from 'commander';
import { errorMessage } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Clock } from '../../host/ports.ts';
import { errorDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginCli } from '../pluginManager.ts';
import { withDeadline } from '../withDeadline.ts';

const timeoutMs = 30_000;

/**
 * Lets plugins add their commands to the program, one after the other (OpenClaw plugin API, CLI Registration). A registrar whose
 * declared names are taken is skipped before it runs; one that fails, or adds a name that is taken, loses everything it added.
 * Never rejects.
 */
export async function addPluginCommands(
  program: Command,
  registrations: readonly PluginCli[],
  clock: Clock,
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const registration of registrations) {
    const refused = await addCommands(program, registration, clock);
    if (refused !== undefined) diagnostics.push(refused);
  }
  return diagnostics;
}

async function addCommands(
  program: Command,
  { pluginId, commands, registrar, context }: PluginCli,
  clock: Clock,
): Promise<Diagnostic | undefined> {
  const taken = commands.find((name) => namesOf(program).has(name));
  if (taken !== undefined) {
    const message = `cli command already registered: ${taken}; the commands of plugin ${pluginId} are left out`;
    return errorDiagnostic('plugin_cli_refused', message, { pluginId });
  }
  const before = [...program.commands];
  try {
    const { config, workspaceDir, logger } = context;
    await withDeadline(
      Promise.resolve(registrar({ program, config, workspaceDir, logger })),
      timeoutMs,
      clock,
    );
    return undefined;
  } catch (error) {
    takeBack(program, before);
    const message = `cli commands of plugin ${pluginId} failed to register: ${errorMessage(error)}`;
    return errorDiagnostic('plugin_cli_failed', message, { pluginId });
  }
}

/** Commander's list is readonly in its types only; it has no way to take a command out again. */
function takeBack(program: Command, commands: readonly Command[]): void {
  const list = program.commands as Command[];
  list.splice(0, list.length, ...commands);
}

function namesOf(program: Command): ReadonlySet<string> {
  return new Set(program.commands.flatMap((command) => [command.name(), ...command.aliases()]));
}
