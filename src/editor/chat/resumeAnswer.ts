import * as vscode from 'vscode';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { LastTurn } from '../../runtime/conversations.ts';
import type { Session } from '../../sessions/session.ts';
import { messagesText, nameOfSession } from '../sessions/sessionTexts.ts';
import type { ResultMetadata } from './resultMetadata.ts';
import type { SlashContext } from './slashCommand.ts';

/** Characters of the last answer that are shown again. */
const maxRecap = 4_000;

/** `/resume <id>`: this chat goes on with an earlier session. Shows where it stood, since VS Code can't show the old chat. */
export async function resumeAnswer({
  runtime,
  session,
  stream,
}: SlashContext): Promise<ResultMetadata['about']> {
  const turn = await runtime.conversations.lastTurn(session);
  const { asked, answered } = lastExchange(session);
  const title = escapeMarkdown(nameOfSession(session));
  const count = messagesText(session.messages().length);
  stream.markdown(
    [
      vscode.l10n.t(
        'This chat goes on with “{0}” ({1}). Pincer knows everything that was said in it.',
        title,
        count,
      ),
      ...turnLines(turn),
      ...(asked === undefined
        ? []
        : [`**${vscode.l10n.t('You said last')}**: ${escapeMarkdown(inertLine(asked, 500))}`]),
      ...(answered === undefined ? [] : [`**${vscode.l10n.t('Pincer answered')}**:`]),
    ].join('\n\n'),
  );
  // A model wrote it: markdown that runs no command, as when it first came.
  if (answered !== undefined) stream.markdown(`\n\n${cut(answered)}`);
  return turn === 'interrupted' ? 'interrupted' : 'answer';
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

function lastExchange(session: Session): { readonly asked?: string; readonly answered?: string } {
  const messages = session.messages();
  const at = messages.findLastIndex(
    ({ role, content }) =>
      role === 'user' && content.some((part) => part.type === 'text' && part.isContext !== true),
  );
  const asked = textOf(messages[at]);
  const answered = messages
    .slice(at + 1)
    .filter(({ role }) => role === 'assistant')
    .map(textOf)
    .findLast((text) => text !== undefined);
  return {
    ...(asked === undefined ? {} : { asked }),
    ...(answered === undefined ? {} : { answered }),
  };
}

function textOf(message: ReturnType<Session['messages']>[number] | undefined): string | undefined {
  const text = message?.content
    .flatMap((part) => (part.type === 'text' && part.isContext !== true ? [part.text] : []))
    .join('\n')
    .trim();
  return text === '' ? undefined : text;
}

function cut(text: string): string {
  return text.length <= maxRecap ? text : `${text.slice(0, maxRecap)}\n\n…`;
}
