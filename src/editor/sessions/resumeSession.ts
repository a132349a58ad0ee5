import * as vscode from 'vscode';
import { openChat } from '../openChat.ts';
import { titleText } from './sessionTexts.ts';

/** VS Code lets nobody open the chat that a session began in: its transcript goes on in a new one. */
export async function resumeInNewChat(session: {
  readonly id: string;
  readonly title: string;
}): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.newChat');
  // The title is for those who read the list of chats; the id alone counts.
  await openChat(`/resume “${titleText(session, 60)}” ${session.id}`, true);
}
