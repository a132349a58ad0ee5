import * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import { readMetadata } from './resultMetadata.ts';
import { chatHash, type ChatMove, type ShownChat, type TurnMemory } from './turnMemory.ts';

/**
 * The session that this chat belongs to: the one that the newest turn of ours names. That turn names none when it was cut off, and
 * is not there at all when the window was reloaded before the panel had stored it; then the memory counts: the session that the
 * chat had gone to, or the turn that asked the same or that the user wants to resume. Undefined where the session has no
 * transcript: nothing was said in it yet.
 */
export async function findSession(
  runtime: Runtime,
  request: vscode.ChatRequest,
  history: vscode.ChatContext['history'],
  turns: TurnMemory,
): Promise<Session | undefined> {
  const own = await ownInterrupted(runtime, request, history);
  if (own !== undefined) return own;
  const resumed = request.command === 'resume' ? await turns.interrupted() : undefined;
  const found: { readonly sessionId: string; readonly agentId?: string } | undefined =
    resumed ?? (await turns.sessionOf(shownChat(history)));
  const session = found === undefined ? undefined : await runtime.sessions.open(found.sessionId);
  if (session !== undefined || found?.agentId === undefined) return session;
  const isKnown = runtime.conversations.agents().some((agent) => agent.id === found.agentId);
  return runtime.createSession(isKnown ? found.agentId : undefined);
}

/** What is to be remembered of a request after which the chat belongs to another session; undefined where it stays. */
export function moveOf(
  previous: Session | undefined,
  session: Session,
  request: vscode.ChatRequest,
  history: vscode.ChatContext['history'],
): ChatMove | undefined {
  // Where the transcript of the session before can't be read, the history still names it.
  const from = previous?.id ?? newestSessionId(history);
  if (from === undefined || from === session.id) return undefined;
  const requests = requestsOf(history);
  return {
    from,
    before: chatHash(requests),
    after: chatHash([...requests, requestText(request)]),
    agentId: session.agentId,
  };
}

function requestsOf(history: vscode.ChatContext['history']): readonly string[] {
  return history.filter((turn) => turn instanceof vscode.ChatRequestTurn).map(requestText);
}

function requestText({ command, prompt }: vscode.ChatRequest | vscode.ChatRequestTurn): string {
  return `/${command ?? ''} ${prompt.trim()}`;
}

/** The session of this chat, where `/resume` is about its own turn: another window's chat may have been cut off later. */
async function ownInterrupted(
  runtime: Runtime,
  { command, prompt }: vscode.ChatRequest,
  history: vscode.ChatContext['history'],
): Promise<Session | undefined> {
  const id = newestSessionId(history);
  if (command !== 'resume' || prompt.trim() !== '' || id === undefined) return undefined;
  const session = await runtime.sessions.open(id);
  return session?.interruptedTurn() === undefined ? undefined : session;
}

function newestSessionId(history: vscode.ChatContext['history']): string | undefined {
  const ids = history.map((turn) =>
    turn instanceof vscode.ChatResponseTurn ? readMetadata(turn.result.metadata)?.sessionId : undefined,
  );
  return ids.findLast((id) => id !== undefined);
}

function shownChat(history: vscode.ChatContext['history']): ShownChat {
  const last = history.at(-1);
  const isWhole = last instanceof vscode.ChatResponseTurn && readMetadata(last.result.metadata) !== undefined;
  const lastRequest = history.findLast((turn) => turn instanceof vscode.ChatRequestTurn);
  return {
    requests: requestsOf(history),
    unanswered: isWhole ? undefined : lastRequest?.prompt,
    named: newestSessionId(history),
  };
}
