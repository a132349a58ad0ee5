import * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import type { WaitingMessage } from '../../sessions/inbox.ts';
import type { SessionTarget } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { nameOfSession } from '../sessions/sessionTexts.ts';
import { pickRunningTurn } from './pickRunningTurn.ts';
import { sayToSession } from './sayToSession.ts';

/** Steer, queue and stop: they work whatever has the focus, and need nothing of the chat panel. */
export function registerTurnCommands(runtime: LazyRuntime): vscode.Disposable {
  const say = (kind: WaitingMessage['kind']) => async (target: SessionTarget) =>
    await sayToTurn(await runtime.get(), kind, target);
  return vscode.Disposable.from(
    registerCommand('pincer.turn.steer', say('steer')),
    registerCommand('pincer.turn.queue', say('followUp')),
    registerCommand('pincer.turn.stop', async (target) => {
      const loaded = await runtime.get();
      const turn = await pickRunningTurn(loaded, target, vscode.l10n.t('Stop which turn?'));
      if (turn !== undefined) loaded.conversations.stopTurn(turn.session.id);
    }),
  );
}

async function sayToTurn(
  runtime: Runtime,
  kind: WaitingMessage['kind'],
  target: SessionTarget,
): Promise<void> {
  const { title, prompt } = textsOf(kind);
  const turn = await pickRunningTurn(runtime, target, title);
  if (turn === undefined) return;
  const { session } = turn;
  const text = await vscode.window.showInputBox({
    title: `${title}: ${nameOfSession(session)}`,
    prompt,
    placeHolder: vscode.l10n.t('What Pincer should know or do'),
    // A click elsewhere must not lose what was typed.
    ignoreFocusOut: true,
  });
  if (text === undefined || text.trim() === '') return;
  await sayToSession(runtime, session.id, kind, text.trim());
}

function textsOf(kind: WaitingMessage['kind']): { readonly title: string; readonly prompt: string } {
  return kind === 'steer'
    ? {
        title: vscode.l10n.t('Steer the running turn'),
        prompt: vscode.l10n.t('Read after the call that runs now; calls that have not begun are skipped'),
      }
    : {
        title: vscode.l10n.t('Queue a follow-up'),
        prompt: vscode.l10n.t('Read when the turn would end'),
      };
}
