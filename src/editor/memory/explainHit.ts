import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import { citationOf, type MemoryHit } from '../../memory/memory.ts';
import { describeWhy } from '../../memory/ranking/describeWhy.ts';
import { noIcons } from './hitItems.ts';

/** The list of reasons; it closes when the user goes back. */
export interface Explanation {
  readonly closed: Promise<void>;
  close(): void;
}

/** Shows why a hit ranks where it does. */
export function explainHit(hit: MemoryHit, rank: number): Explanation {
  const list = vscode.window.createQuickPick();
  list.title = vscode.l10n.t('Why {0} is number {1}', inertLine(citationOf(hit), 120), rank);
  list.placeholder = vscode.l10n.t('Escape goes back to the hits');
  list.buttons = [vscode.QuickInputButtons.Back];
  list.items = [
    {
      label: vscode.l10n.t('Score {0}', hit.score.toFixed(2)),
      description: vscode.l10n.t('0 to 1, within this search'),
    },
    ...describeWhy(hit).map((row) => ({ label: noIcons(inertLine(row, 300)), alwaysShow: true })),
  ];
  const closed = new Promise<void>((resolve) => {
    list.onDidTriggerButton(() => list.hide());
    list.onDidAccept(() => list.hide());
    list.onDidHide(() => {
      list.dispose();
      resolve();
    });
  });
  list.show();
  return { closed, close: () => list.hide() };
}
