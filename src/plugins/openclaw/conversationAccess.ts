import { warnDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginApiParts } from './pluginApiParts.ts';

const wishes = {
  run: 'It wants to run an agent',
  listen: 'It wants to listen to what turns say and do',
} as const;

/** Whether it may run agents, and what becomes of it where it may not. */
export function conversationAccess(parts: PluginApiParts): {
  readonly mayConverse: boolean;
  readonly refusedConversation: () => void;
} {
  return { mayConverse: isAllowed(parts), refusedConversation: () => deny(parts, wishes.run) };
}

/** Whether it may hear the events of turns; where it may not, the user is told. */
export function mayListen(parts: PluginApiParts): boolean {
  if (!isAllowed(parts)) deny(parts, wishes.listen);
  return isAllowed(parts);
}

function isAllowed({ candidate, entry }: PluginApiParts): boolean {
  return candidate.origin === 'bundled' || entry.hooks?.allowConversationAccess === true;
}

function deny({ registrations, manifest: { id }, registered }: PluginApiParts, wish: string): void {
  const message = `${wish}, which needs plugins.entries.${id}.hooks.allowConversationAccess=true.`;
  if (registrations.diagnostics.some((each) => each.message === message)) return;
  registrations.diagnostics.push(
    warnDiagnostic('plugin_conversation_denied', message, {
      pluginId: id,
      hint: 'Allow it where you trust the plugin with what is said.',
      fixes: [{ kind: 'allow-conversation-access', pluginId: id }],
    }),
  );
  registered();
}
