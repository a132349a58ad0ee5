import * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import { openChat } from '../openChat.ts';
import { maxTitle, wordsFor } from './matchSession.ts';
import { titleText } from './sessionTexts.ts';

/** VS Code lets nobody open the chat that a session began in: its transcript goes on in a new one. */
export async function resumeInNewChat(runtime: Runtime, { id }: { readonly id: string }): Promise<void> {
  const summaries = await namedSummaries(runtime);
  const session = summaries.find((each) => each.id === id);
  await vscode.commands.executeCommand('workbench.action.chat.newChat');
  await openChat(`/resume ${session === undefined ? id : wordsFor(summaries, session)}`, true);
}

/** All sessions, each with the title that people see. */
export async function namedSummaries({ conversations }: Runtime): Promise<readonly SessionSummary[]> {
  return (await conversations.summaries()).map((each) => ({ ...each, title: titleText(each, maxTitle) }));
}
