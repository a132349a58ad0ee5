import type * as vscode from 'vscode';
import { escapeMarkdown, inertLine } from '../../base/text.ts';

const maxLength = 200;

// Threat: the panel reads a line of progress as markdown. Labels, outputs of commands, thoughts and failures come from plugins, models
// and files, and could place links and formatted text there.
/** One line of progress, shown literally. */
export function showProgress(stream: Pick<vscode.ChatResponseStream, 'progress'>, text: string): void {
  stream.progress(escapeMarkdown(inertLine(text, maxLength)));
}
