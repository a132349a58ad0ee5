import * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import type { OpenTurns } from './openTurns.ts';
import { readMetadata } from './resultMetadata.ts';

/**
 * The session that this chat belongs to: by the newest turn of ours that carries an id. A turn that was interrupted carries
 * none; then the one that was open when the host ended counts, if the user wants to resume it or it asked the same.
 */
export async function findSession(
  runtime: Runtime,
  request: vscode.ChatRequest,
  history: vscode.ChatContext['history'],
  turns: OpenTurns,
): Promise<Session | undefined> {
  const open = turns.interrupted();
  if (open !== undefined && (request.command === 'resume' || lastPrompt(history) === open.prompt)) {
    return await runtime.sessions.open(open.sessionId);
  }
  for (const turn of [...history].reverse()) {
    const metadata = turn instanceof vscode.ChatResponseTurn ? readMetadata(turn.result.metadata) : undefined;
    const session = metadata === undefined ? undefined : await runtime.sessions.open(metadata.sessionId);
    if (session !== undefined) return session;
  }
  return undefined;
}

function lastPrompt(history: vscode.ChatContext['history']): string | undefined {
  return history.findLast((turn) => turn instanceof vscode.ChatRequestTurn)?.prompt;
}
