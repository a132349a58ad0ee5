import * as vscode from 'vscode';
import type { CheckpointTurn } from '../../checkpoints/checkpoints.ts';
import { PincerError } from '../../base/errors.ts';
import type { CheckpointTarget } from '../commandTable.ts';
import { registerCommand } from '../registerCommand.ts';
import type { CheckpointRuntime, CheckpointSource } from './checkpointRuntime.ts';
import { registerCheckpointDocuments, showTurn } from './checkpointDocuments.ts';

/** `Pincer: Restore Checkpoint…` and `Pincer: Show Changes of a Turn…`, from the palette and from links in the chat. */
export function registerCheckpoints(source: CheckpointSource): vscode.Disposable {
  return vscode.Disposable.from(
    registerCheckpointDocuments(source),
    registerCommand('pincer.checkpoints.restore', async (target) => {
      const runtime = await source.get();
      if (runtime.turns.running() > 0) throw turnRuns();
      const turn = await turnOf(runtime, target, vscode.l10n.t('Restore to before which turn?'));
      if (turn === undefined) return;
      const { restoreTurn } = await import('../onDemand.ts');
      await restoreTurn(runtime, turn, target);
    }),
    registerCommand('pincer.checkpoints.show', async (target) => {
      const runtime = await source.get();
      const turn = await turnOf(runtime, target, vscode.l10n.t('Show the changes of which turn?'));
      if (turn !== undefined) await showTurn(turn);
    }),
  );
}

/** The turn of a link, or the one that the user picks; undefined where they pick none or there is none. */
async function turnOf(
  runtime: CheckpointRuntime,
  target: CheckpointTarget,
  question: string,
): Promise<CheckpointTurn | undefined> {
  const turns = await runtime.turns.checkpoints.list();
  if (target !== undefined) {
    const turn = turns.find((each) => each.id === target.turnId);
    if (turn === undefined) throw turnGone();
    return turn;
  }
  if (turns.length > 0) {
    const { pickTurn } = await import('../onDemand.ts');
    return await pickTurn(runtime, turns, question);
  }
  void vscode.window.showInformationMessage(
    vscode.l10n.t('No checkpoint yet: a turn that edits files makes one.'),
  );
  return undefined;
}

function turnRuns(): PincerError {
  return new PincerError('turn_runs', vscode.l10n.t('A turn is running.'), {
    hint: vscode.l10n.t('Stop it or wait for it, then restore.'),
  });
}

function turnGone(): PincerError {
  return new PincerError(
    'checkpoint_unknown',
    vscode.l10n.t('There is no checkpoint of this turn any more: it changed no file, or it is too old.'),
  );
}
