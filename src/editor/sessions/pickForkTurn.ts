import * as vscode from 'vscode';
import type { Session } from '../../sessions/session.ts';
import { noIcons } from '../memory/hitItems.ts';
import { planTurns, type ForkTurn } from './planTurns.ts';

/** Lets the user choose the message that the fork does not hold any more; undefined where they choose none. */
export async function pickForkTurn(session: Session): Promise<ForkTurn | undefined> {
  const turns = planTurns(session);
  if (turns.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing was asked in this session yet.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    turns.map((turn) => ({ turn, label: noIcons(turn.label), description: `${String(turn.number)}.` })),
    {
      title: vscode.l10n.t('Fork before which message?'),
      placeHolder: vscode.l10n.t('Newest first; it waits in the new chat, to be changed and sent again'),
    },
  );
  return picked?.turn;
}
