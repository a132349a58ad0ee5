import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Clock } from '../../host/ports.ts';
import type { PluginCommandContext, PluginCommandDefinition } from '../../sdk/types.ts';
import { errorDiagnostic } from '../pluginDiagnostics.ts';
import { withDeadline } from '../withDeadline.ts';

/** A plugin's slash command as the chat and the palette know it. */
export interface PluginCommand {
  /** Without the slash, lower case. */
  readonly name: string;
  readonly description: string;
  /** False: it matches only where nothing follows its name. */
  readonly acceptsArgs: boolean;
  readonly pluginId: string;
  /**
   * Runs it and returns markdown, never empty. Never rejects: a handler that fails, or that is not done after two minutes,
   * gives a text that says so, and a diagnostic.
   */
  run(args: string, context: CommandCaller): Promise<string>;
}

/** Who typed the command, and where. */
export interface CommandCaller {
  readonly sessionKey?: string;
  readonly workspaceDir?: string;
  /** `vscode` or `cli`. */
  readonly channel: string;
}

export interface CommandSource {
  readonly pluginId: string;
  readonly commands: readonly PluginCommandDefinition[];
  readonly config: Readonly<Record<string, unknown>>;
}

export interface ResolvedCommands {
  readonly commands: readonly PluginCommand[];
  readonly diagnostics: readonly Diagnostic[];
}

const maxArgs = 4096;
const patienceMs = 120_000;
const failedText = '⚠️ Command failed. Please try again later.';

/** All plugins' commands in plugin order; the first of a name counts. `report` gets what goes wrong when one runs. */
export function resolvePluginCommands(
  sources: readonly CommandSource[],
  clock: Clock,
  report: (diagnostic: Diagnostic) => void,
): ResolvedCommands {
  const commands = new Map<string, PluginCommand>();
  const diagnostics: Diagnostic[] = [];
  for (const source of sources) {
    for (const definition of source.commands) {
      const other = commands.get(definition.name);
      if (other === undefined) commands.set(definition.name, toCommand(source, definition, clock, report));
      else diagnostics.push(takenDiagnostic(source.pluginId, other));
    }
  }
  return { commands: [...commands.values()], diagnostics };
}

function takenDiagnostic(pluginId: string, other: PluginCommand): Diagnostic {
  const message = `command registration failed: Command "${other.name}" already registered by plugin "${other.pluginId}"`;
  return errorDiagnostic('plugin_command_refused', message, { pluginId });
}

function toCommand(
  { pluginId, config }: CommandSource,
  definition: PluginCommandDefinition,
  clock: Clock,
  report: (diagnostic: Diagnostic) => void,
): PluginCommand {
  const { name } = definition;
  return {
    name,
    description: typeof definition.description === 'string' ? definition.description : '',
    acceptsArgs: definition.acceptsArgs === true,
    pluginId,
    async run(rawArgs, caller) {
      const args = cleanArgs(rawArgs);
      const context: PluginCommandContext = {
        ...caller,
        ...(args === '' ? {} : { args }),
        commandBody: args === '' ? `/${name}` : `/${name} ${args}`,
        isAuthorizedSender: true,
        config,
      };
      try {
        const reply = await withDeadline(Promise.resolve(definition.handler(context)), patienceMs, clock);
        return replyText(reply) || `/${name} gave no output.`;
      } catch (error) {
        const message = `command /${name} of plugin ${pluginId} failed: ${errorMessage(error)}`;
        report(errorDiagnostic('plugin_command_failed', message, { pluginId }));
        return failedText;
      }
    },
  };
}

/** At most 4096 characters and no control characters but tab and line breaks. */
function cleanArgs(args: string): string {
  return args
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/gu, '')
    .trim()
    .slice(0, maxArgs);
}

function replyText(reply: unknown): string {
  if (typeof reply === 'string') return reply;
  return isRecord(reply) && typeof reply['text'] === 'string' ? reply['text'] : '';
}
