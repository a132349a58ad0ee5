import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { Inbox, WaitingMessage } from '../../sessions/createInbox.ts';
import { readMetadata } from './resultMetadata.ts';

/** What the panel offers under an answer; `inbox` is there once the runtime is. */
export function planFollowups(
  metadata: unknown,
  inbox: Pick<Inbox, 'list'> | undefined,
): readonly vscode.ChatFollowup[] {
  const read = readMetadata(metadata);
  switch (read?.about) {
    case 'help':
      return [
        { prompt: 'read README.md', label: vscode.l10n.t('Read the README') },
        { prompt: '', command: 'tools', label: vscode.l10n.t('Show the tools') },
        { prompt: '', command: 'plugins', label: vscode.l10n.t('Show the plugins') },
      ];
    case 'failure':
      return [{ prompt: '', command: 'status', label: vscode.l10n.t('Show the status') }];
    case 'interrupted':
      return [{ prompt: '', command: 'resume', label: vscode.l10n.t('Resume the interrupted turn') }];
    // The panel takes no text any more for an answer that its own button has stopped.
    case 'stopped':
      return [
        {
          prompt: vscode.l10n.t('Go on with what I asked for.'),
          label: stoppedText(inbox?.list(read.sessionId) ?? []),
        },
      ];
    case 'answer':
    case undefined:
      return [];
  }
}

/** What still waits is read in the next turn, whatever that is about. */
function stoppedText(waiting: readonly WaitingMessage[]): string {
  const [first] = waiting;
  if (first === undefined) return vscode.l10n.t('Stopped. Go on');
  return waiting.length === 1
    ? vscode.l10n.t('Stopped, “{0}” still waits. Go on', inertLine(first.text, 60))
    : vscode.l10n.t('Stopped, {0} messages still wait. Go on', waiting.length);
}
