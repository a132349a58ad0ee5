import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { DextoListing, PluginAsks } from '../../plugins/pluginTypes.ts';
import { codeLines } from './codeLines.ts';
import { shownNames } from './shownNames.ts';

/** What enabling a plugin of the agent file agrees to: where it steps in, what it sees and can stop, where its data goes. */
export function dextoConsentLines(
  asks: PluginAsks | undefined,
  { blocking }: Pick<DextoListing, 'blocking'>,
): readonly string[] {
  return [
    vscode.l10n.t('Extension points: {0}', shownNames(asks?.points)),
    vscode.l10n.t(
      'It sees what is said: messages, tool calls, their results and answers, and can change them.',
    ),
    blocking
      ? vscode.l10n.t('Blocking: it can stop them, too, and so does its failure.')
      : vscode.l10n.t('Not blocking: it stops nothing, not even by failing.'),
    vscode.l10n.t('Reaches: {0}', shownNames(asks?.reaches)),
    ...codeLines(asks),
    vscode.l10n.t('Keeps data in'),
    ...(asks?.storage ?? []).map((line) => `  ${inertLine(line, 200)}`),
  ];
}
