import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';

const maxShown = 20;

// Threat: names come from a plugin's own files and stand in the question that lets it run.
/** Names for a dialog: each on one line, and not more than a dialog can hold. */
export function shownNames(names: readonly string[] = []): string {
  if (names.length === 0) return vscode.l10n.t('none found');
  const shown = names.slice(0, maxShown).map((name) => inertLine(name, 60));
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} ${vscode.l10n.t('and {0} more', more)}`;
}
