import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import type { LastUsedKeeper } from '../sessions/lastUsed.ts';
import type { CallSteps } from './callSteps.ts';
import { planFollowups } from './followups.ts';
import type { ChatMemory } from './chatMemory.ts';

/** `@pincer` in the chat panel. */
export function registerParticipant(
  context: vscode.ExtensionContext,
  runtime: LazyRuntime,
  chats: ChatMemory,
  last: LastUsedKeeper,
  reviewOf: ReviewOf,
  steps: CallSteps,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const answer: vscode.ChatRequestHandler = async (request, chat, stream, token) => {
    const deps = { runtime, chats, last, reviewOf, steps, log, started: performance.now() };
    const { handleRequest } = await import('../onDemand.ts');
    return await handleRequest(deps, request, chat, stream, token);
  };
  const participant = vscode.chat.createChatParticipant('pincer.agent', answer);
  participant.iconPath = vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.png');
  participant.followupProvider = { provideFollowups: (result) => [...planFollowups(result.metadata)] };
  return vscode.Disposable.from(participant);
}
