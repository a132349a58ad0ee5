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
    case 'answer':
    case undefined:
      return [];
  }
}
