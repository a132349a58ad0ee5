import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { tellLostClick } from '../registerCommand.ts';

export interface RowOpener<Row extends object> extends Disposable {
  /** The same item, whose command finds the row by the selection. */
  withoutArguments(row: Row, item: vscode.TreeItem): vscode.TreeItem;
}

/** How long a click waits for word of the selection. Milliseconds. */
const selectionMs = 1_000;

/**
 * What a click on a row of the view `id` does. VS Code drops the arguments of a row's command as soon as the row is drawn anew, and a click
 * that comes then is an error of its own. So each row has the same command without any, which finds the row by the selection. Rows that
 * have only VS Code's own commands, such as `vscode.open`, need none of this: their arguments stay.
 */
export function createRowOpener<Row extends object>(
  id: string,
  view: () => Pick<vscode.TreeView<Row>, 'selection' | 'onDidChangeSelection'>,
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

/** VS Code calls a row's command before it tells of the selection, where it has just drawn the rows. */
async function selectionOf<Row>({
  selection,
  onDidChangeSelection,
}: Pick<vscode.TreeView<Row>, 'selection' | 'onDidChangeSelection'>): Promise<readonly Row[]> {
  if (selection.length > 0) return selection;
  return await new Promise((resolve) => {
    const end = (rows: readonly Row[]): void => {
      clearTimeout(late);
      heard.dispose();
      resolve(rows);
    };
    const heard = onDidChangeSelection(({ selection: rows }) => {
      if (rows.length > 0) end(rows);
    });
    const late = setTimeout(end, selectionMs, []);
  });
}
