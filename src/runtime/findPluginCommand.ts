import type { PluginCommand } from '../plugins/commands/resolvePluginCommands.ts';
import type { FoundPluginCommand } from './runtime.ts';

/** The command that `prompt` starts with, where its arguments fit it. Pure. */
export function findPluginCommand(
  commands: readonly PluginCommand[],
  prompt: string,
  caller: { readonly channel: string; readonly workspaceDir: string | undefined },
): FoundPluginCommand | undefined {
  const match = /^\/(\S+)(?:\s+(.*))?$/su.exec(prompt.trim());
  const name = match?.[1]?.toLowerCase();
  const args = match?.[2]?.trim() ?? '';
  const command = commands.find((each) => each.name === name);
  if (command === undefined || (args !== '' && !command.acceptsArgs)) return undefined;
  const { channel, workspaceDir } = caller;
  return {
    name: command.name,
    pluginId: command.pluginId,
    run: (session) =>
      command.run(args, {
        channel,
        sessionKey: session.key,
        sessionId: session.id,
        agentId: session.agentId,
        ...(workspaceDir === undefined ? {} : { workspaceDir }),
      }),
  };
}
