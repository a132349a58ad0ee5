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

/** Opens a chat on the session and says the first waiting message in it; the turn that follows reads the others. */
export async function sendWaiting(runtime: Runtime, sessionId: string): Promise<void> {
  const { conversations } = runtime;
  const [first] = await conversations.inbox.open(sessionId);
  const summary = (await conversations.summaries()).find(({ id }) => id === sessionId);
  if (first === undefined || summary === undefined) return;
  await resumeInNewChat(runtime, summary);
  // Another turn may have read it meanwhile.
  if (!(await conversations.inbox.remove(sessionId, first.id))) return;
  await openChat(first.text, true);
}

/** All sessions, each with the title that people see. */
export async function namedSummaries({ conversations }: Runtime): Promise<readonly SessionSummary[]> {
  return (await conversations.summaries()).map((each) => ({ ...each, title: titleText(each, maxTitle) }));
}
