import * as vscode from 'vscode';
import { readMetadata } from './resultMetadata.ts';

/** What the panel offers under an answer. */
export function planFollowups(metadata: unknown): readonly vscode.ChatFollowup[] {
  switch (readMetadata(metadata)?.about) {
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
        { prompt: vscode.l10n.t('Go on with what I asked for.'), label: vscode.l10n.t('Stopped. Go on') },
      ];
    case 'answer':
    case undefined:
      return [];
  }
}
