import * as vscode from 'vscode';
import { switchedRow } from './switchedRow.ts';

/** While a tree is drawn anew, `selection` lacks the rows that were not asked for again yet: so often it is looked again. */
const maxLooks = 40;

/**
 * The row with the focus. The API tells only what is selected, and the arrow keys move only the focus: so the focused row's
 * selection is switched, the difference read, and switched back. Selecting it outright would run its command.
 */
export async function focusedRow<Row>(
  view: vscode.TreeView<Row>,
  idOf: (row: Row) => string,
): Promise<Row | undefined> {
  for (let look = 0; look < maxLooks; look += 1) {
    const before = view.selection;
    await vscode.commands.executeCommand('list.toggleSelection');
    const after = view.selection;
    await vscode.commands.executeCommand('list.toggleSelection');
    const row = switchedRow(before, after, idOf);
    if (row !== undefined) return row;
  }
  return undefined;
}
