import * as vscode from 'vscode';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';

/** What plugins and operator hooks have in common. */
type Stateful = Pick<PluginRecord, 'status' | 'needsConsent' | 'diagnostics' | 'dexto'>;

/** The icon of what runs (`onIcon`, green), waits, is off or failed. */
export function stateIcon(
  { status, needsConsent, diagnostics, dexto }: Stateful,
  onIcon: string,
): vscode.ThemeIcon {
  if (needsConsent !== undefined) return new vscode.ThemeIcon('shield');
  switch (status) {
    case 'loaded':
      return dexto?.profile?.lastFailure !== undefined || diagnostics.some(({ level }) => level !== 'info')
        ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
        : new vscode.ThemeIcon(onIcon, new vscode.ThemeColor('charts.green'));
    case 'disabled':
      return new vscode.ThemeIcon('circle-slash');
    case 'error':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  }
}
