import * as vscode from 'vscode';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { WaitingMessage } from '../../sessions/createInbox.ts';
import type { Session } from '../../sessions/session.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import { commandLink } from '../chat/trustedMarkdown.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { notificationText } from '../notificationText.ts';
import { inBackground } from '../registerCommand.ts';
import { titleText } from '../sessions/sessionTexts.ts';
import { readWaiting } from './readWaiting.ts';

/**
 * Messages that a reload or a crash left waiting are in nobody's sight: tells of the newest session that has some. A session whose
 * turn was interrupted, or runs in another window, is left out: that turn reads them, or the one that resumes it.
 */
export function registerLeftoverMessages(runtime: LazyRuntime): vscode.Disposable {
  const attached = runtime.whenLoaded((loaded) => {
    inBackground(tellLeft(loaded));
    return { dispose: () => undefined };
  });
  return vscode.Disposable.from(attached);
}

async function tellLeft({ conversations }: Pick<Runtime, 'conversations'>): Promise<void> {
  const summaries = await conversations.summaries();
  const isOpen = ({ isInterrupted, runsElsewhere }: SessionSummary): boolean =>
    isInterrupted || runsElsewhere === true;
  const open = new Set(summaries.filter(isOpen).map(({ id }) => id));
  const left = (await readWaiting(conversations, summaries)).find(
    ({ sessionId }) => !open.has(sessionId) && conversations.running(sessionId) === undefined,
  );
  if (left === undefined) return;
  const title = titleText(left, 60);
  const count = left.messages.length;
  const text =
    count === 1
      ? vscode.l10n.t('1 message is still waiting in “{0}”.', title)
      : vscode.l10n.t('{0} messages are still waiting in “{1}”.', count, title);
  const send = vscode.l10n.t('Send Now');
  const discard = vscode.l10n.t('Discard');
  const answer = await vscode.window.showInformationMessage(notificationText(text), send, discard);
  if (answer === send) await vscode.commands.executeCommand('pincer.waiting.send', left);
  if (answer === discard) await vscode.commands.executeCommand('pincer.waiting.discard', left);
}

/** Nobody will read them. */
export async function discardWaiting(
  { conversations }: Pick<Runtime, 'conversations'>,
  sessionId: string,
): Promise<void> {
  for (const { id } of await conversations.inbox.open(sessionId))
    await conversations.inbox.remove(sessionId, id);
}

/** What an answer says of messages that were left waiting, as trusted markdown; undefined where there are none. */
export async function leftWaitingLine(
  { conversations }: Pick<Runtime, 'conversations'>,
  { id }: Session,
): Promise<string | undefined> {
  const waiting = await conversations.inbox.open(id);
  if (waiting.length === 0) return undefined;
  return withLinks(vscode.l10n.t('Waiting since before, read in this turn: {0}', textsOf(waiting)), id);
}

/** What an answer that was cancelled says of messages that nobody has read; as above. */
export function stillWaitingLine(
  { conversations }: Pick<Runtime, 'conversations'>,
  { id }: Session,
): string | undefined {
  const waiting = conversations.inbox.list(id);
  if (waiting.length === 0) return undefined;
  return withLinks(vscode.l10n.t('Still waiting, read in the next turn: {0}', textsOf(waiting)), id);
}

function textsOf(waiting: readonly WaitingMessage[]): string {
  return waiting.map(({ text }) => `“${escapeMarkdown(inertLine(text, 80))}”`).join(', ');
}

function withLinks(text: string, sessionId: string): string {
  const show = commandLink(vscode.l10n.t('Show'), 'pincer.waiting.show');
  const discard = commandLink(vscode.l10n.t('Discard'), 'pincer.waiting.discard', { sessionId });
  return `$(inbox) ${text} · ${show} · ${discard}`;
}
