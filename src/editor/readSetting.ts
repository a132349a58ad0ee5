import * as vscode from 'vscode';
import { settingDefaults, type SettingName } from './settingTable.ts';

/** The setting's value now. */
export function readSetting(name: SettingName): boolean {
  return vscode.workspace.getConfiguration('pincer').get<boolean>(name, settingDefaults[name]);
}
