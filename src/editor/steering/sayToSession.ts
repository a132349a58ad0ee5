import * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import type { WaitingMessage } from '../../sessions/createInbox.ts';
import { openChat } from '../openChat.ts';

/** The user's words to the turn of a session; where it has ended meanwhile, they stand in the chat's input. */
export async function sayToSession(
  { conversations }: Pick<Runtime, 'conversations'>,
  sessionId: string,
  kind: WaitingMessage['kind'],
  text: string,
): Promise<void> {
  if (conversations.running(sessionId) !== undefined) {
    await conversations.inbox.add(sessionId, kind, text);
    return;
  }
  await openChat(text);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The turn has ended. Your message is in the chat input.'),
  );
}
