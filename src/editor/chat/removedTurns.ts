import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Runtime } from '../../runtime/index.ts';
import { registerCommand } from '../registerCommand.ts';
import { commandLink } from './trustedMarkdown.ts';

/** Turns that the user took out of a chat: the conversation goes on without them, the files do not go back by themselves. */
export interface RemovedTurns extends Disposable {
  /** This fork goes on without these turns, oldest first. */
  note(forkId: string, runIds: readonly string[]): void;
  /** What of theirs is still changed, as trusted markdown; undefined where nothing is, or the user keeps it. */
  line(runtime: Pick<Runtime, 'checkpoints'>, forkId: string): Promise<string | undefined>;
}

export function registerRemovedTurns(): RemovedTurns {
  const removed = new Map<string, readonly string[]>();
  const keep = registerCommand('pincer.checkpoints.keep', (target) => {
    for (const [forkId, runIds] of removed)
      if (target !== undefined && runIds.includes(target.turnId)) removed.delete(forkId);
    vscode.window.setStatusBarMessage(`$(check) ${vscode.l10n.t('The files stay as they are.')}`, 5_000);
  });
  return {
    note: (forkId, runIds) => void removed.set(forkId, runIds),
    async line({ checkpoints }, forkId) {
      const runIds = removed.get(forkId) ?? [];
      const turns = runIds.length === 0 ? [] : await checkpoints.list();
      for (const turnId of runIds.filter((id) => turns.some((turn) => turn.id === id))) {
        const count = (await checkpoints.planRestore(turnId)).items.length;
        if (count > 0) return lineOf(turnId, count);
      }
      return undefined;
    },
    dispose() {
      keep.dispose();
    },
  };
}

function lineOf(turnId: string, count: number): string {
  const text =
    count === 1
      ? vscode.l10n.t('1 file of the removed turns is still changed')
      : vscode.l10n.t('{0} files of the removed turns are still changed', count);
  const restore = commandLink(vscode.l10n.t('Restore…'), 'pincer.checkpoints.restore', {
    turnId,
    part: 'files',
  });
  const stay = commandLink(vscode.l10n.t('Keep'), 'pincer.checkpoints.keep', { turnId });
  return `$(history) ${text}: ${restore} · ${stay}`;
}
