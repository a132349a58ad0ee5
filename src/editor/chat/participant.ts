import * as vscode from 'vscode';
import type { ChatDeps } from './handleRequest.ts';

/** `@pincer` in the chat panel. */
export function registerParticipant(
  context: vscode.ExtensionContext,
  given: Omit<ChatDeps, 'started'>,
): vscode.Disposable {
  const answer: vscode.ChatRequestHandler = async (request, chat, stream, token) => {
    const deps = { ...given, started: performance.now() };
    const { handleRequest } = await import('../onDemand.ts');
    return await handleRequest(deps, request, chat, stream, token);
  };
  const participant = vscode.chat.createChatParticipant('pincer.agent', answer);
  participant.iconPath = vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.png');
  participant.followupProvider = {
    async provideFollowups({ metadata }) {
      const { planFollowups } = await import('../onDemand.ts');
      return [...planFollowups(metadata, given.runtime.peek()?.conversations.inbox)];
    },
  };
  return vscode.Disposable.from(participant);
}
