import * as vscode from 'vscode';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { LastTurn } from '../../runtime/conversations.ts';
import { inertAnswer } from '../../sessions/markdown/inertAnswer.ts';
import type { Session } from '../../sessions/session.ts';
import { messagesText, nameOfSession } from '../sessions/sessionTexts.ts';
import { planRecap, type Exchange, type Recap } from './planRecap.ts';
import type { ResultMetadata } from './resultMetadata.ts';
import { showProgress } from './showProgress.ts';
import type { SlashContext } from './slashCommand.ts';
import { commandLink, trustedMarkdown } from './trustedMarkdown.ts';

/** `/resume <name>`: this chat goes on with an earlier session, and shows it, since VS Code can't show the old chat. */
export async function resumeAnswer({
  runtime,
  session,
  stream,
}: SlashContext): Promise<ResultMetadata['about']> {
  const turn = await runtime.conversations.lastTurn(session);
  const title = escapeMarkdown(nameOfSession(session));
  const head = vscode.l10n.t('This chat goes on with “{0}”.', title);
  showBroughtAlong(stream, session, [head, ...turnLines(turn)]);
  return turn === 'interrupted' ? 'interrupted' : 'answer';
}

/** The conversation that a new chat begins with: folded, the last exchange open. `head` are the paragraphs above that, our own. */
export function showBroughtAlong(
  stream: SlashContext['stream'],
  session: Session,
  head: readonly string[],
): void {
  const recap = planRecap(session.entries());
  const show = commandLink(vscode.l10n.t('Show the whole conversation'), 'pincer.sessions.show', {
    sessionId: session.id,
  });
  // The panel folds away what stands before the last text once progress was told.
  if (recap.earlier.length > 0) {
    showProgress(stream, earlierText(recap));
    // Models and others wrote it: markdown that runs no command.
    stream.markdown(recap.earlier.map(exchangeText).join('\n\n'));
    showProgress(stream, vscode.l10n.t('What was said last stands below'));
  }
  stream.markdown(
    trustedMarkdown(
      [...head, ...(recap.count === 0 ? [] : [`$(book) ${broughtText(recap)} ${show}`]), ''].join('\n\n'),
    ),
  );
  if (recap.last !== undefined) stream.markdown(exchangeText(recap.last));
}

function broughtText({ count, earlier }: Recap): string {
  const messages = messagesText(count);
  return earlier.length === 0
    ? vscode.l10n.t('{0} carried over.', messages)
    : vscode.l10n.t(
        '{0} carried over: the last ones stand below, the others are folded in the steps above.',
        messages,
      );
}

function earlierText({ earlier, leftOut }: Recap): string {
  return leftOut === 0
    ? vscode.l10n.t('What was said before: {0}', earlier.length)
    : vscode.l10n.t('What was said before: the last {0} of {1}', earlier.length, earlier.length + leftOut);
}

function exchangeText({ asked, answered }: Exchange): string {
  return [
    ...(asked === '' ? [] : [`**${vscode.l10n.t('You')}**: ${escapeMarkdown(inertLine(asked, 2_000))}`]),
    ...(answered === '' ? [] : [inertAnswer(answered)]),
  ].join('\n\n');
}

function turnLines(turn: LastTurn): readonly string[] {
  switch (turn) {
    case 'running':
      return [vscode.l10n.t('A turn of it is running now.')];
    case 'elsewhere':
      return [vscode.l10n.t('A turn of it runs in another window or program.')];
    case 'interrupted':
      return [vscode.l10n.t('Its last turn was interrupted.')];
    case 'ended':
      return [];
  }
}
