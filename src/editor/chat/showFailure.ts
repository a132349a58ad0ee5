import * as vscode from 'vscode';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { fixTitle } from '../plugins/fixTexts.ts';
import { shortReason } from '../plugins/shortReason.ts';
import type { AnswerStream } from './orderedStream.ts';
import { planHint, type HintPlace } from './planHint.ts';
import { commandLink, trustedMarkdown } from './trustedMarkdown.ts';
import type { UnknownCommand } from './unknownCommand.ts';

/** A failure as text in the answer: it stays readable in the history, with what to do next. */
export function showFailure(stream: AnswerStream, error: unknown, place: HintPlace): void {
  const { code, hint = '' } = error instanceof PincerError ? error : { code: '' };
  stream.markdown(
    trustedMarkdown(
      `\n\n$(error) **${escapeMarkdown(errorMessage(error))}**\n\n${hintMarkdown(code, hint, place)}`,
    ),
  );
  if (!(error instanceof PincerError && error.code === 'session_unreadable')) return;
  const { sessionId } = error;
  const repair = commandLink(vscode.l10n.t('Repair Session'), 'pincer.sessions.repair', { sessionId });
  stream.markdown(trustedMarkdown(`\n\n$(wrench) ${repair}`));
}

/** Says that nobody has such a command, and what there is: each a link that puts it into the chat's input. */
export function showUnknownCommand(
  stream: AnswerStream,
  { name, meant, own, plugins }: UnknownCommand,
): void {
  const link = (command: string): string =>
    commandLink(`/${escapeMarkdown(command)}`, 'pincer.chat.open', `/${command} `);
  const list = (title: string, commands: readonly string[]): readonly string[] =>
    commands.length === 0 ? [] : [`${title} ${commands.map(link).join(' · ')}`];
  const failure = `$(error) **${vscode.l10n.t('There is no command /{0}.', escapeMarkdown(name))}**`;
  const paragraphs = [
    meant === undefined ? failure : `${failure} ${vscode.l10n.t('Did you mean {0}?', link(meant))}`,
    ...list(vscode.l10n.t('Commands:'), own),
    ...list(vscode.l10n.t('Of plugins:'), plugins),
    vscode.l10n.t('To send it as it is, put a word in front of it.'),
  ];
  stream.markdown(trustedMarkdown(paragraphs.join('\n\n')));
}

/** What a hint names is a link to it. */
function hintMarkdown(code: string, hint: string, place: HintPlace): string {
  return planHint(code, hint, place)
    .map(({ text, link }) =>
      link === undefined
        ? escapeMarkdown(text)
        : commandLink(escapeMarkdown(text), link.command, link.argument),
    )
    .join('');
}

/**
 * Says why no turn begins, where that is, and what can be done about it. Texts of plugins are untrusted: escaped, on one line.
 */
export function showStopped(stream: AnswerStream, problem: Diagnostic, place: HintPlace): void {
  const { message: unanswered } = place;
  const { level, message, hint, source, line, column, fixes = [] } = problem;
  const shown = (text: string): string => inertLine(text, 1_000);
  stream.markdown(
    trustedMarkdown(
      [
        `$(error) **${vscode.l10n.t('The agent does not run:')}** ${escapeMarkdown(shown(shortReason(message, { source })))}`,
        ...(hint === undefined ? [] : [hintMarkdown('agent_stopped', shown(hint), place)]),
        '',
      ].join('\n\n'),
    ),
  );
  if (source !== undefined) stream.anchor(placeOf(source, line, column), titleOf(source, line));
  // What is still loading is no error.
  if (level !== 'info') {
    const send = vscode.l10n.t('send the message again');
    const link =
      unanswered === undefined ? send : commandLink(send, 'pincer.chat.sendAgain', { message: unanswered });
    stream.markdown(trustedMarkdown(`\n\n${vscode.l10n.t('Correct that, then {0}.', link)}`));
  }
  for (const fix of fixes) {
    const title = fix.kind === 'reload-plugin' ? vscode.l10n.t('Try Again') : fixTitle(fix);
    stream.button({ command: 'pincer.plugins.applyFix', title, arguments: [{ fix }] });
  }
}

function placeOf(source: string, line: number | undefined, column = 1): vscode.Uri | vscode.Location {
  const uri = vscode.Uri.file(source);
  return line === undefined ? uri : new vscode.Location(uri, new vscode.Position(line - 1, column - 1));
}

function titleOf(source: string, line: number | undefined): string {
  const name = source.split(/[\\/]/u).at(-1) ?? source;
  return line === undefined ? name : `${name}:${String(line)}`;
}
