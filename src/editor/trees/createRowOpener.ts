import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { tellLostClick } from '../registerCommand.ts';

interface RowOpener<Row extends object> extends Disposable {
  /** The same item, whose command finds the row by the selection. */
  withoutArguments(row: Row, item: vscode.TreeItem): vscode.TreeItem;
}

/** How long a click waits for word of the selection, and how often it looks. Milliseconds. */
const selectionMs = 1_000;
const pollIntervalMs = 20;

/**
 * What a click on a row of the view `id` does. VS Code drops the arguments of a row's command as soon as the row is drawn anew, and a click
 * that comes then is an error of its own. So each row has the same command without any, which finds the row by the selection. Rows that
 * have only VS Code's own commands, such as `vscode.open`, need none of this: their arguments stay.
 */
export function createRowOpener<Row extends object>(
  id: string,
  view: () => Pick<vscode.TreeView<Row>, 'selection'>,
): RowOpener<Row> {
  const openRow = `${id}.openRow`;
  const commands = new WeakMap<Row, vscode.Command>();
  const opens = vscode.commands.registerCommand(openRow, async () => {
    const [row] = await selectionOf(view());
    if (row === undefined) {
      tellLostClick();
      return;
    }
    const { command, arguments: given = [] } = commands.get(row) ?? {};
    if (command !== undefined) await vscode.commands.executeCommand(command, ...(given as unknown[]));
  });
  return {
    withoutArguments(row, item) {
      if (item.command === undefined) commands.delete(row);
      else {
        commands.set(row, item.command);
        item.command = { command: openRow, title: item.command.title };
      }
      return item;
    },
    dispose: () => void opens.dispose(),
  };
}

/**
 * VS Code calls a row's command before it tells of the selection, where it has just drawn the rows; and while it draws them, a row that
 * was selected is not found yet. Neither has an event that always comes.
 */
async function selectionOf<Row>(view: Pick<vscode.TreeView<Row>, 'selection'>): Promise<readonly Row[]> {
  const end = performance.now() + selectionMs;
  while (view.selection.length === 0 && performance.now() < end) await delay(pollIntervalMs);
  return view.selection;
}
