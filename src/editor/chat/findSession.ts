import * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import type { TurnMemory } from './turnMemory.ts';
import { readMetadata } from './resultMetadata.ts';

/**
 * The session that this chat belongs to: the one that the newest turn of ours names. That turn names none when it was cut off,
 * or when the window was reloaded before the panel had stored it; then the memory counts, if it asked the same or the user
 * wants to resume it. Undefined where the session has no transcript: nothing was said in it yet.
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
  const lost = hasLostMetadata(history) ? await turns.find(lastPrompt(history)) : undefined;
  const id = resumed?.sessionId ?? lost?.sessionId ?? newestSessionId(history);
  return id === undefined ? undefined : await runtime.sessions.open(id);
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

function hasLostMetadata(history: vscode.ChatContext['history']): boolean {
  const last = history.at(-1);
  return last instanceof vscode.ChatResponseTurn
    ? readMetadata(last.result.metadata) === undefined
    : last !== undefined;
}

function lastPrompt(history: vscode.ChatContext['history']): string {
  return history.findLast((turn) => turn instanceof vscode.ChatRequestTurn)?.prompt ?? '';
}
