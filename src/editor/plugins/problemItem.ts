import { basename } from 'node:path';
import * as vscode from 'vscode';
import { describeDiagnostic } from '../../base/describeDiagnostic.ts';
import { inertLine } from '../../base/text.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { dextoIdPrefix } from '../../plugins/pluginTypes.ts';
import { openAtLine } from './openAtLine.ts';
import { problemContext } from './pluginRows.ts';
import { shortReason } from './shortReason.ts';

const levelIcons: Readonly<Record<Diagnostic['level'], vscode.ThemeIcon>> = {
  info: new vscode.ThemeIcon('info'),
  warn: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
  error: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
};

/** A problem: a click opens its file at its line, its menu has what can be done about it. */
export function problemItem(diagnostic: Diagnostic): vscode.TreeItem {
  const { source, line, column, level } = diagnostic;
  const item = new vscode.TreeItem(
    inertLine(shortReason(diagnostic.message, { name: nameOf(diagnostic), source }), 300),
  );
  const whole = describeDiagnostic(diagnostic);
  item.tooltip = inertLine(whole, 1_000);
  item.accessibilityInformation = { label: `${level}: ${inertLine(whole, 500)}` };
  item.iconPath = levelIcons[level];
  item.contextValue = problemContext(diagnostic);
  if (source !== undefined) {
    item.description = line === undefined ? basename(source) : `${basename(source)}:${String(line)}`;
    item.command = openAtLine(source, line, column);
  }
  return item;
}

/** Of a plugin of the agent file: its problems stand below it, or at the top of the view where nothing of the file runs. */
function nameOf({ pluginId }: Diagnostic): string | undefined {
  return pluginId?.startsWith(dextoIdPrefix) === true ? pluginId.slice(dextoIdPrefix.length) : undefined;
}
