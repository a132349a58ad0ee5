import * as vscode from 'vscode';
import { switchedRow } from './switchedRow.ts';

/**
 * The row with the focus. The API tells only what is selected, and the arrow keys move only the focus: so the focused row's
 * selection is switched, the difference read, and switched back. Selecting it outright would run its command.
 */
export async function focusedRow<Row>(
  view: vscode.TreeView<Row>,
  idOf: (row: Row) => string,
): Promise<Row | undefined> {
  const before = view.selection;
  await vscode.commands.executeCommand('list.toggleSelection');
  const after = view.selection;
  await vscode.commands.executeCommand('list.toggleSelection');
  return switchedRow(before, after, idOf);
}
