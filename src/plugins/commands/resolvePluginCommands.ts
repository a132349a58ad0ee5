import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Clock } from '../../host/ports.ts';
import type { OpenClawConfig, PluginCommandContext, PluginCommandDefinition } from '../../sdk/types.ts';
import { errorDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import { withDeadline } from '../withDeadline.ts';

/** A plugin's slash command as the chat and the palette know it. */
export interface PluginCommand {
  /** Without the slash, lower case. */
  readonly name: string;
  readonly description: string;
  /** False: it matches only where nothing follows its name. */
  readonly acceptsArgs: boolean;
  readonly pluginId: string;
  /** Never rejects: a handler that fails, or that is not done after two minutes, gives a text that says so, and a diagnostic. */
  run(args: string, context: CommandCaller): Promise<CommandAnswer>;
}

/** What a plugin's command says to who typed it. */
export interface CommandAnswer {
  /** Markdown; empty only where the agent goes on. */
  readonly text: string;
  /** Whether a turn of the agent follows with what was typed (`continueAgent`). */
  readonly continues: boolean;
}

/** Who typed the command, and where. */
interface CommandCaller {
  readonly sessionKey?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly workspaceDir?: string;
  /** `vscode` or `cli`. */
  readonly channel: string;
}

interface CommandSource {
  readonly pluginId: string;
  readonly commands: readonly PluginCommandDefinition[];
  readonly currentConfig: () => OpenClawConfig;
}

interface ResolvedCommands {
  readonly commands: readonly PluginCommand[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What a command may be called. */
export const commandName = /^[a-z][a-z0-9_-]{0,63}$/u;

const maxArgs = 4096;
const timeoutMs = 120_000;
const failedText = '⚠️ Command failed. Please try again later.';

export interface CommandParts {
  /** Names that plugins can't take; without the slash. */
  readonly reserved: readonly string[];
  readonly clock: Clock;
  /** Gets what goes wrong when a command runs. */
  readonly report: (diagnostic: Diagnostic) => void;
}

/** All plugins' commands in plugin order. One whose name is taken is `<plugin>:<name>`. */
export function resolvePluginCommands(
  sources: readonly CommandSource[],
  parts: CommandParts,
): ResolvedCommands {
  const commands = new Map<string, PluginCommand>();
  const diagnostics: Diagnostic[] = [];
  for (const source of sources) {
    for (const definition of source.commands) {
      const owner = ownerOf(definition.name, commands, parts.reserved);
      const name = owner === undefined ? definition.name : longName(source.pluginId, definition.name);
      commands.set(name, toCommand(source, { ...definition, name }, parts));
      if (owner !== undefined) diagnostics.push(renamed(source.pluginId, definition.name, owner));
    }
  }
  return { commands: [...commands.values()], diagnostics };
}

function ownerOf(
  name: string,
  commands: ReadonlyMap<string, PluginCommand>,
  reserved: readonly string[],
): string | undefined {
  if (reserved.includes(name)) return 'a built-in command';
  const other = commands.get(name);
  return other === undefined ? undefined : `plugin "${other.pluginId}"`;
}

/** What people type is compared in lower case. */
function longName(pluginId: string, name: string): string {
  return `${pluginId.toLowerCase()}:${name}`;
}

function renamed(pluginId: string, name: string, owner: string): Diagnostic {
  const message = `/${name} belongs to ${owner}; the command of this plugin is /${longName(pluginId, name)}`;
  return warnDiagnostic('plugin_command_renamed', message, { pluginId });
}

/** What a plugin is told of bindings, whose absence must not fail it. */
const unbound = {
  getCurrentConversationBinding: () => Promise.resolve(null),
  requestConversationBinding: () =>
    Promise.resolve({ status: 'error', message: 'conversations are bound by the config alone' } as const),
  detachConversationBinding: () => Promise.resolve({ removed: false } as const),
};

/** What of a command's definition has no effect here, and why. */
const idleFields: Readonly<Record<string, string>> = {
  agentPromptGuidance: 'models are told nothing of commands',
  channels: 'commands are for the chats of this machine alone',
  requiredScopes: 'the user of this machine may run all commands',
  exposeSenderIsOwner: 'the user of this machine runs it',
  ownership: 'names of built-in commands stay theirs',
  nativeNames: 'it is called by its name',
  nativeProgressMessages: 'chats show their own progress',
  descriptionLocalizations: 'lists show its description',
  clientPresentation: 'its answer is a text',
};

/** One warning at registration names all that a command says in vain. */
export function noteIdleFields(
  pluginId: string,
  name: string,
  definition: Readonly<Record<string, unknown>>,
): readonly Diagnostic[] {
  const idle = Object.entries(idleFields).filter(([field]) => definition[field] !== undefined);
  if (idle.length === 0) return [];
  const fields = idle.map(([field, why]) => `${field} (${why})`).join(', ');
  return [
    warnDiagnostic('plugin_registration_unused', `command /${name}: no effect here: ${fields}`, { pluginId }),
  ];
}

function toCommand(
  { pluginId, currentConfig }: CommandSource,
  definition: PluginCommandDefinition,
  { clock, report }: CommandParts,
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
        ...unbound,
        isAuthorizedSender: true,
        config: currentConfig(),
      };
      try {
        const reply = await withDeadline(Promise.resolve(definition.handler(context)), timeoutMs, clock);
        const continues = isRecord(reply) && reply.continueAgent === true;
        return { text: replyText(reply) || (continues ? '' : `/${name} gave no output.`), continues };
      } catch (error) {
        const message = `command /${name} of plugin ${pluginId} failed: ${errorMessage(error)}`;
        report(errorDiagnostic('plugin_command_failed', message, { pluginId }));
        return { text: failedText, continues: false };
      }
    },
  };
}

/** A plugin that should run and failed to load. */
export interface FailedPlugin {
  readonly pluginId: string;
  readonly reason: string;
  /** `commandAliases` of its manifest. */
  readonly aliases: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Placeholders for the chat commands of plugins that failed: they say so (OpenClaw documentation, Manifest host surface fields,
 * commandAliases reference). Pure.
 */
export function commandsOfFailed(
  plugins: readonly FailedPlugin[],
  taken: readonly string[],
): readonly PluginCommand[] {
  return plugins.flatMap(({ pluginId, reason, aliases }) =>
    aliases.flatMap(({ name: given, kind, cliCommand }): readonly PluginCommand[] => {
      const name = typeof given === 'string' ? given.replace(/^\//u, '').toLowerCase() : '';
      if (kind !== 'runtime-slash' || !commandName.test(name) || taken.includes(name)) return [];
      const related = typeof cliCommand === 'string' ? ` Related: pincer ${inertLine(cliCommand, 60)}.` : '';
      const text = `⚠️ /${name} belongs to plugin ${pluginId}, which did not load: ${inertLine(reason, 300)}`;
      const help = `See the Plugins view or pincer plugins doctor.${related}`;
      const answer = { text: escapeMarkdown(`${text.replace(/\.$/u, '')}. ${help}`), continues: false };
      const run = (): Promise<CommandAnswer> => Promise.resolve(answer);
      return [{ name, description: 'Its plugin did not load.', acceptsArgs: true, pluginId, run }];
    }),
  );
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
