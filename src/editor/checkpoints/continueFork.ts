import * as vscode from 'vscode';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { CheckpointTurn } from '../../checkpoints/checkpoints.ts';
import { PincerError } from '../../base/errors.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import { openChat } from '../openChat.ts';
import { forkWithName } from '../sessions/forkName.ts';
import { startOf } from '../sessions/matchSession.ts';
import type { CheckpointRuntime } from './checkpointRuntime.ts';

/** When the fork was made, in a message that opened a chat so; undefined for any other. */
export function readContinued(prompt: string): string | undefined {
  const said = prompt.trim();
  const start = /\((?<start>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\)$/u.exec(said)?.groups?.['start'];
  if (start === undefined) return undefined;
  const [begins = '', ends = ''] = continueText('\0', start).split('\0');
  const isContinued = said.startsWith(begins) && said.endsWith(ends);
  return isContinued || said === continueText(undefined, start) ? start : undefined;
}

/**
 * VS Code lets nobody change the turns of a chat. So a new session that knows what was said before the turn goes on in a new
 * chat: its first message ties the two together, and the user's own message waits in the input to be changed and sent again.
 */
export async function continueInNewChat(runtime: CheckpointRuntime, turn: CheckpointTurn): Promise<void> {
  const session = await runtime.conversations.sessions.open(turn.sessionId);
  if (session === undefined) throw unknownSession();
  const fork = await forkWithName(runtime.conversations, session.id, { beforeRunId: turn.id });
  await openFork(fork, session.promptOf(turn.id));
}

/** Goes on with a fork in a new chat; `prompt` waits in its input. */
export async function openFork(fork: Session, prompt = ''): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.newChat');
  const after = lastAsked(fork);
  await openChat(continueText(after, startOf(fork.header)), true);
  await openChat(prompt);
}

/**
 * What the new chat is opened with. VS Code makes its title of it: words for those who read the list of chats, and when the fork was made
 * (`startOf`), by which `readContinued` knows it again.
 */
function continueText(after: string | undefined, start: string): string {
  return after === undefined
    ? vscode.l10n.t('Start over ({0})', start)
    : vscode.l10n.t('Continue “{0}” ({1})', after, start);
}

/** The fork that was made at that moment (`readContinued`). @throws PincerError `session_unknown` */
export async function openContinued(
  { conversations }: Pick<Runtime, 'conversations'>,
  start: string,
): Promise<Session> {
  const summaries = await conversations.summaries();
  // Of two in one second the newer one: its chat is opened as it is made.
  const [fork] = summaries
    .filter((each) => each.parent !== undefined && each.kind === 'chat' && startOf(each) === start.trim())
    .toSorted((a, b) => b.createdAt - a.createdAt);
  const session = fork === undefined ? undefined : await conversations.sessions.open(fork.id);
  if (session === undefined) throw unknownSession();
  return session;
}

/** What the new chat says first. */
export function tellContinued(session: Session): string {
  const after = lastAsked(session);
  if (after === undefined) return vscode.l10n.t('This chat starts over. The chat before it stays as it is.');
  return vscode.l10n.t(
    'This chat goes on after “{0}” and knows nothing of what came later. The chat before it stays as it is.',
    escapeMarkdown(after),
  );
}

/** What the user said last, on one line. */
function lastAsked(session: Session): string | undefined {
  const asked = session.messages().findLast((message) => message.role === 'user');
  const text = asked?.content.find((part) => part.type === 'text' && part.isContext !== true);
  return text?.type === 'text' ? inertLine(text.text, 60) : undefined;
}

function unknownSession(): PincerError {
  return new PincerError('session_unknown', vscode.l10n.t('There is no such conversation.'), {
    hint: vscode.l10n.t('Choose one with Pincer: Restore Checkpoint.'),
  });
}
