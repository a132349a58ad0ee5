import * as vscode from 'vscode';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { CheckpointTurn } from '../../checkpoints/checkpoints.ts';
import { PincerError } from '../../base/errors.ts';
import type { Session } from '../../sessions/session.ts';
import { openChat } from '../openChat.ts';
import type { CheckpointRuntime } from './checkpointRuntime.ts';

/**
 * What the new chat is opened with. VS Code makes its title of it: words for those who read the list of chats, and the beginning of the
 * id, by which `readContinued` knows it again.
 */
function continueText(after: string | undefined, id: string): string {
  const short = id.slice(0, 8);
  return after === undefined
    ? vscode.l10n.t('Start over ({0})', short)
    : vscode.l10n.t('Continue “{0}” ({1})', after, short);
}

/** The beginning of the id in a message that opened a chat so; undefined for any other. */
export function readContinued(prompt: string): string | undefined {
  const said = prompt.trim();
  const id = /\((?<id>[\da-f]{8})\)$/u.exec(said)?.groups?.['id'];
  if (id === undefined) return undefined;
  const [begins = '', ends = ''] = continueText('\0', id).split('\0');
  const isContinued = said.startsWith(begins) && said.endsWith(ends);
  return isContinued || said === continueText(undefined, id) ? id : undefined;
}

/**
 * VS Code lets nobody change the turns of a chat. So a new session that knows what was said before the turn goes on in a new
 * chat: its first message ties the two together, and the user's own message waits in the input to be changed and sent again.
 */
export async function continueInNewChat(runtime: CheckpointRuntime, turn: CheckpointTurn): Promise<void> {
  const session = await runtime.sessions.open(turn.sessionId);
  if (session === undefined) throw unknownSession();
  const fork = await runtime.sessions.fork(session, { beforeRunId: turn.id }, runtime.folders());
  await openFork(fork, session.promptOf(turn.id));
}

/** Goes on with a fork in a new chat; `prompt` waits in its input. */
export async function openFork(fork: Session, prompt = ''): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.newChat');
  const after = lastAsked(fork);
  await openChat(continueText(after, fork.id), true);
  await openChat(prompt);
}

/** The session that `/continue` names, by its id or the beginning of it. @throws PincerError `session_unknown` */
export async function openContinued(
  runtime: Pick<CheckpointRuntime, 'sessions'>,
  prompt: string,
): Promise<Session> {
  const said = /(?<id>\S+)\s*$/u.exec(prompt)?.groups?.['id'] ?? '';
  const id = said.length < 8 ? said : (await runtime.sessions.list()).find((each) => each.startsWith(said));
  const session = id === undefined ? undefined : await runtime.sessions.open(id);
  if (session === undefined) throw unknownSession();
  return session;
}

/** What the new chat says first. */
export function tellContinued(session: Session): string {
  const after = lastAsked(session);
  if (after === undefined) return vscode.l10n.t('This chat starts over. The chat before it stays as it is.');
  return vscode.l10n.t(
    'This chat goes on after “{0}”. Pincer knows everything that was said up to there, and nothing after it. The chat before it stays as it is.',
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
