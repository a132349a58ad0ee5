import * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import type { TurnMemory } from './turnMemory.ts';
import { readMetadata } from './resultMetadata.ts';

/**
 * The session that this chat belongs to: by the newest turn of ours that carries an id. The newest turn carries none when it
 * was cut off, or when the window was reloaded before the panel had stored it; then the turn that the memory holds
 * counts, if it asked the same or the user wants to resume it.
 */
export async function findSession(
  runtime: Runtime,
  request: vscode.ChatRequest,
  history: vscode.ChatContext['history'],
  turns: TurnMemory,
): Promise<Session | undefined> {
  const earlier = await turns.earlier();
  const isResumed = request.command === 'resume' && earlier?.isOpen === true;
  const isLost = hasLostMetadata(history) && lastPrompt(history) === earlier?.prompt;
  if (earlier !== undefined && (isResumed || isLost)) return await runtime.sessions.open(earlier.sessionId);
  for (const turn of [...history].reverse()) {
    const metadata = turn instanceof vscode.ChatResponseTurn ? readMetadata(turn.result.metadata) : undefined;
    const session = metadata === undefined ? undefined : await runtime.sessions.open(metadata.sessionId);
    if (session !== undefined) return session;
  }
  return undefined;
}

function hasLostMetadata(history: vscode.ChatContext['history']): boolean {
  const last = history.at(-1);
  return last instanceof vscode.ChatResponseTurn
    ? readMetadata(last.result.metadata) === undefined
    : last !== undefined;
}

function lastPrompt(history: vscode.ChatContext['history']): string | undefined {
  return history.findLast((turn) => turn instanceof vscode.ChatRequestTurn)?.prompt;
}
