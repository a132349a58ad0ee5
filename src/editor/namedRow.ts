import type * as vscode from 'vscode';

/**
 * The row with a name for screen readers where it has none of its own: what it shows. VS Code would read the tooltip in its place, and
 * of the row itself nothing.
 */
export function namedRow(item: vscode.TreeItem): vscode.TreeItem {
  if (item.accessibilityInformation !== undefined) return item;
  const label = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
  const description = typeof item.description === 'string' ? item.description : '';
  item.accessibilityInformation = { label: description === '' ? label : `${label}, ${description}` };
  return item;
}
