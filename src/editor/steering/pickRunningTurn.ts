import * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import type { RunningTurn } from '../../runtime/conversations.ts';
import type { SessionTarget } from '../commandTable.ts';
import { noIcons } from '../memory/hitItems.ts';
import { nameOfSession } from '../sessions/sessionTexts.ts';
import { chooseTurn } from './chooseTurn.ts';

/** The turn that a command is about; undefined where none runs, which is said, or where the user picks none. */
export async function pickRunningTurn(
  { conversations }: Runtime,
  target: SessionTarget,
  title: string,
): Promise<RunningTurn | undefined> {
  const choice = chooseTurn(conversations.runningTurns(), target?.sessionId);
  if (choice.kind === 'one') return choice.turn;
  if (choice.kind === 'none') {
    void vscode.window.showInformationMessage(vscode.l10n.t('No turn is running.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    choice.turns.map((turn) => ({
      turn,
      label: noIcons(nameOfSession(turn.session)),
      description:
        turn.session.header.kind === 'subagent' ? vscode.l10n.t('started agent') : turn.session.agentId,
    })),
    { title, placeHolder: vscode.l10n.t('Several turns are running; newest first') },
  );
  return picked?.turn;
}
