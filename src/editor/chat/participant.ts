import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import type { LastUsedKeeper } from '../sessions/lastUsed.ts';
import { planFollowups } from './followups.ts';
import { handleRequest } from './handleRequest.ts';
import type { TurnMemory } from './turnMemory.ts';

/** `@pincer` in the chat panel. */
export function registerParticipant(
  context: vscode.ExtensionContext,
  runtime: LazyRuntime,
  turns: TurnMemory,
  last: LastUsedKeeper,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant('pincer.agent', (request, chat, stream, token) =>
    handleRequest({ runtime, turns, last, log }, request, chat, stream, token),
  );
  participant.iconPath = vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.png');
  participant.followupProvider = { provideFollowups: (result) => [...planFollowups(result.metadata)] };
  return vscode.Disposable.from(participant);
}
