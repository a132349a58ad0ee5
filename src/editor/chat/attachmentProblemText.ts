import * as vscode from 'vscode';
import { formatBytes, formatCount } from '../../base/formatNumbers.ts';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { AttachmentProblem } from './attachments/attachment.ts';

/** One sentence of markdown on what the model does not get as the user attached it. */
export function attachmentProblemText(problem: AttachmentProblem): string {
  const { language } = vscode.env;
  const label = escapeMarkdown(problem.label);
  switch (problem.kind) {
    case 'cut':
      return vscode.l10n.t(
        '{0} is long: the model gets the first {1} of {2} characters.',
        label,
        formatCount(problem.shown, language),
        formatCount(problem.total, language),
      );
    case 'unreadable':
      return vscode.l10n.t('{0} is not attached: {1}', label, escapeMarkdown(inertLine(problem.why, 300)));
    case 'too-large':
      return vscode.l10n.t(
        '{0} is not attached: it is too large ({1}).',
        label,
        formatBytes(problem.bytes, language),
      );
    case 'unknown-kind':
      return vscode.l10n.t("{0} is not attached: Pincer can't read this kind of attachment.", label);
    case 'no-image':
      return vscode.l10n.t('{0} is not attached: it is not a PNG, JPEG, GIF or WebP image.', label);
    case 'no-room':
      return vscode.l10n.t('{0} is not attached: the other attachments fill the message.', label);
    case 'unknown-tool':
      return vscode.l10n.t('Pincer has no tool {0}.', label);
  }
}
