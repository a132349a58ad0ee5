import * as vscode from 'vscode';
import { keepEscapedIcons } from '../../base/text.ts';
import type { CommandId } from '../commandTable.ts';

/** What a link of ours may run: a command of the table, or one of these of VS Code. */
export type LinkCommand =
  CommandId | 'workbench.action.chat.openModelPicker' | 'pincer.approvals.focus' | 'pincer.sessions.focus';

const enabledCommands: readonly LinkCommand[] = [
  'workbench.action.chat.openModelPicker',
  'pincer.approvals.focus',
  'pincer.sessions.focus',
  'pincer.chat.open',
  'pincer.models.add',
  'pincer.models.signIn',
  'pincer.config.openUser',
  'pincer.plugins.reloadAll',
  'pincer.chat.sendAgain',
  'pincer.session.new',
  'pincer.sessions.search',
  'pincer.approvals.setMode',
  'pincer.approvals.showDiff',
  'pincer.approvals.showCall',
  'pincer.approvals.allowOnce',
  'pincer.approvals.allowAll',
  'pincer.approvals.allowAlways',
  'pincer.approvals.allowTurn',
  'pincer.approvals.allowSession',
  'pincer.approvals.deny',
  'pincer.approvals.denyWhy',
  'pincer.approvals.askAgain',
  'pincer.review.acceptAll',
  'pincer.review.reject',
  'pincer.runs.showLast',
  'pincer.runs.showCall',
  'pincer.jobs.show',
  'pincer.checkpoints.show',
  'pincer.checkpoints.restore',
  'pincer.checkpoints.keep',
  'pincer.sessions.resume',
  'pincer.sessions.show',
  'pincer.sessions.showSummary',
  'pincer.sessions.compact',
  'pincer.sessions.repair',
  'pincer.models.editPrice',
  'pincer.plugins.reload',
  'pincer.prompt.show',
  'pincer.turn.stop',
  'pincer.waiting.show',
  'pincer.waiting.discard',
];

/**
 * Markdown of our own making: theme icons and these commands of ours work, nothing else does. Threat: VS Code draws icons after it has
 * taken the escapes away, so a `$(name)` of somebody else, escaped or not, would vanish from a question. Code of others goes by `codeMarkdown`.
 */
export function trustedMarkdown(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(keepEscapedIcons(text), true);
  markdown.isTrusted = { enabledCommands };
  return markdown;
}

/** Markdown with code that is not ours in it: no icons, and no link runs anything. */
export function codeMarkdown(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString(text);
}

/** The command of a link of ours and what it is given; undefined for every other link. */
export function readCommandLink(
  href: string,
): { readonly id: LinkCommand; readonly given: readonly unknown[] } | undefined {
  const { command, query } = /^command:(?<command>[\w.]+)(?:\?(?<query>.*))?$/u.exec(href)?.groups ?? {};
  const id = enabledCommands.find((each) => each === command);
  if (id === undefined) return undefined;
  const given: unknown = query === undefined ? [] : JSON.parse(decodeURIComponent(query));
  return Array.isArray(given) ? { id, given } : undefined;
}

/** A link that runs one of the commands above with one argument. `title` is markdown. */
export function commandLink(title: string, command: LinkCommand, argument?: object | string): string {
  // A bracket would end the link's address, and it is text of a user as well.
  const query =
    argument === undefined
      ? ''
      : `?${encodeURIComponent(JSON.stringify([argument]))
          .replaceAll('(', '%28')
          .replaceAll(')', '%29')}`;
  return `[${title}](command:${command}${query})`;
}
