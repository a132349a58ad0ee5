import * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import type { ChatMemory, ShownChat } from './chatMemory.ts';
import { begin } from './chooseSession.ts';
import { readMetadata, type ResultMetadata } from './resultMetadata.ts';
import type { ShownTurns } from './seenTurns.ts';

/**
 * The session that this chat belongs to, by what is remembered of it and what the panel's history names; `/resume` alone goes on with
 * the turn that was cut off last. Undefined where the session has no transcript: nothing was said in it yet.
 */
export async function findSession(
  runtime: Pick<Runtime, 'conversations'>,
  request: vscode.ChatRequest,
  history: vscode.ChatContext['history'],
  chats: ChatMemory,
): Promise<Session | undefined> {
  const own = await ownInterrupted(runtime, request, history);
  if (own !== undefined) return own;
  const resumed = request.command === 'resume' ? await chats.interrupted() : undefined;
  const found = resumed ?? (await chats.placeOf(shownChat(history)));
  const session =
    found === undefined ? undefined : await runtime.conversations.sessions.open(found.sessionId);
  if (session !== undefined || found?.agentId === undefined) return session;
  return begin(runtime, found.agentId, found.sessionKey ?? newestKey(history));
}

/** The session that a chat belonged to before a request, as far as that is known. */
export function sessionBefore(
  previous: Session | undefined,
  history: vscode.ChatContext['history'],
): string | undefined {
  // Where its transcript can't be read, the history still names it.
  return previous?.id ?? newestSessionId(history);
}

/** What was asked in a chat, this request the last. */
export function requestsWith(
  request: vscode.ChatRequest,
  history: vscode.ChatContext['history'],
): readonly string[] {
  return [...requestsOf(history), requestText(request)];
}

/** What the panel's history says of the turns of a chat. */
export function shownTurns(history: vscode.ChatContext['history']): Omit<ShownTurns, 'panelId'> {
  const answers = history.flatMap((each, at) =>
    each instanceof vscode.ChatRequestTurn ? [metadataOf(history[at + 1])] : [],
  );
  return {
    chatId: answers.findLast((answer) => answer?.chatId !== undefined)?.chatId,
    requests: requestsOf(history),
    turns: answers.map((answer) =>
      answer?.runId === undefined ? undefined : { sessionId: answer.sessionId, runId: answer.runId },
    ),
  };
}

/** The model that answered last in a chat; undefined before the first answer. */
export function lastModel(history: vscode.ChatContext['history']): string | undefined {
  return history.map((turn) => metadataOf(turn)?.model).findLast((model) => model !== undefined);
}

function requestsOf(history: vscode.ChatContext['history']): readonly string[] {
  return history.filter((turn) => turn instanceof vscode.ChatRequestTurn).map(requestText);
}

function requestText({ command, prompt }: vscode.ChatRequest | vscode.ChatRequestTurn): string {
  return `/${command ?? ''} ${prompt.trim()}`;
}

/** The session of this chat, where `/resume` is about its own turn: another window's chat may have been cut off later. */
async function ownInterrupted(
  runtime: Pick<Runtime, 'conversations'>,
  { command, prompt }: vscode.ChatRequest,
  history: vscode.ChatContext['history'],
): Promise<Session | undefined> {
  const id = newestSessionId(history);
  if (command !== 'resume' || prompt.trim() !== '' || id === undefined) return undefined;
  const session = await runtime.conversations.sessions.open(id);
  return session?.interruptedTurn() === undefined ? undefined : session;
}

function newestKey(history: vscode.ChatContext['history']): string | undefined {
  return history.map((turn) => metadataOf(turn)?.sessionKey).findLast((key) => key !== undefined);
}

function newestSessionId(history: vscode.ChatContext['history']): string | undefined {
  return history.map(sessionIdOf).findLast((id) => id !== undefined);
}

function sessionIdOf(turn: vscode.ChatContext['history'][number]): string | undefined {
  return metadataOf(turn)?.sessionId;
}

function metadataOf(turn: vscode.ChatContext['history'][number] | undefined): ResultMetadata | undefined {
  return turn instanceof vscode.ChatResponseTurn ? readMetadata(turn.result.metadata) : undefined;
}

function shownChat(history: vscode.ChatContext['history']): ShownChat {
  const newest = history.findLastIndex((turn) => sessionIdOf(turn) !== undefined);
  return {
    requests: requestsOf(history),
    answered: requestsOf(history.slice(0, newest + 1)).length,
    named: newestSessionId(history),
  };
}
