import * as vscode from 'vscode';
import { planFollowups } from './followups.ts';
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
  participant.followupProvider = { provideFollowups: (result) => [...planFollowups(result.metadata)] };
  return vscode.Disposable.from(participant);
}
