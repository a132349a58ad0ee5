import * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import { openChat } from '../openChat.ts';
import type { LastUsedTracker } from './lastUsed.ts';
import { maxTitle, wordsFor } from './matchSession.ts';
import { titleText } from './sessionTexts.ts';

/** The Chat view as commands use it. Each shows it first. */
export interface ChatViewPlace {
  /** Opens the session in it; false where a turn of another one runs there, which the view says. `keepsFocus`: of what was clicked. */
  openSession(sessionId: string, keepsFocus?: boolean): Promise<boolean>;
  /** Sends a message in the session that the view shows. */
  say(text: string): Promise<void>;
}

/** Where sessions are talked to. */
export interface ChatSurfaces extends Pick<LastUsedTracker, 'surfaceOf'> {
  readonly view: ChatViewPlace;
}

/** VS Code lets nobody open the chat that a session began in: its transcript goes on in a new one. */
export async function resumeInNewChat(
  runtime: Pick<Runtime, 'conversations'>,
  { id }: { readonly id: string },
): Promise<void> {
  const summaries = await namedSummaries(runtime);
  const session = summaries.find((each) => each.id === id);
  await vscode.commands.executeCommand('workbench.action.chat.newChat');
  await openChat(`/resume ${session === undefined ? id : wordsFor(summaries, session)}`, true);
}

/** Opens the session where it was last talked to and says the first waiting message in it; the turn that follows reads the others. */
export async function sendWaiting(
  runtime: Pick<Runtime, 'conversations'>,
  sessionId: string,
  { surfaceOf, view }: ChatSurfaces,
): Promise<void> {
  const { conversations } = runtime;
  const [first] = await conversations.inbox.open(sessionId);
  const summary = (await conversations.summaries()).find(({ id }) => id === sessionId);
  if (first === undefined || summary === undefined) return;
  const isView = surfaceOf(sessionId) === 'view';
  if (!isView) await resumeInNewChat(runtime, summary);
  else if (!(await view.openSession(sessionId))) return;
  // Another turn may have read it meanwhile.
  if (!(await conversations.inbox.remove(sessionId, first.id))) return;
  await (isView ? view.say(first.text) : openChat(first.text, true));
}

/** All sessions, each with the title that people see. */
export async function namedSummaries({
  conversations,
}: Pick<Runtime, 'conversations'>): Promise<readonly SessionSummary[]> {
  return (await conversations.summaries()).map((each) => ({ ...each, title: titleText(each, maxTitle) }));
}
