import * as vscode from 'vscode';
import type { Conversations } from '../../runtime/conversations.ts';
import { nameOfSession } from '../sessions/sessionTexts.ts';

const maxNames = 3;

/** Of a restart of the gateway that was agreed to: which turns it waits for. */
export function restartText({ runningTurns }: Pick<Conversations, 'runningTurns'>): string {
  const names = runningTurns().map(({ session }) => nameOfSession(session, 40));
  if (names.length === 0) return vscode.l10n.t('The gateway restarts once no turn runs.');
  const shown = names.slice(0, maxNames).join(', ');
  const more = names.length - maxNames;
  return more > 0
    ? vscode.l10n.t('The gateway restarts once no turn runs. It waits for {0} and {1} more.', shown, more)
    : vscode.l10n.t('The gateway restarts once no turn runs. It waits for {0}.', shown);
}
