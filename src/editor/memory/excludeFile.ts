import { relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { notificationText } from '../notificationText.ts';
import type { MemoryFile } from '../../memory/memory.ts';
import { planExcludeChoices, type ExcludeChoice } from './excludeChoices.ts';
import { toGlobs } from './folderGlobs.ts';
import { shownLabel } from './pickMemoryFile.ts';

const setting = 'memory.exclude';

/**
 * Leaves a file or a folder out by `pincer.memory.exclude` of the workspace folder, for everybody who opens it. For oneself alone
 * there is Forget.
 */
export async function excludeFile(file: MemoryFile): Promise<void> {
  const uri = vscode.Uri.file(file.path);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined || file.source !== 'memory') {
    await tellElsewhere(file);
    return;
  }
  const names = relative(folder.uri.fsPath, uri.fsPath).split(sep);
  const choice = await pickChoice(folder, planExcludeChoices(names));
  if (choice === undefined) return;
  const own = ownGlobs(folder);
  await write(folder, [...own.filter((glob) => glob !== choice.glob), choice.glob]);
  const undo = vscode.l10n.t('Undo');
  const text = vscode.l10n.t('{0} is excluded from the memory.', choice.path);
  const answer = await vscode.window.showInformationMessage(notificationText(text), undo);
  if (answer === undo)
    await write(
      folder,
      ownGlobs(folder).filter((glob) => glob !== choice.glob),
    );
}

async function pickChoice(
  folder: vscode.WorkspaceFolder,
  choices: readonly ExcludeChoice[],
): Promise<ExcludeChoice | undefined> {
  const items = choices.map((choice) => ({
    label: `${choice.kind === 'file' ? '$(file)' : '$(folder)'} ${shownLabel(choice.path)}`,
    description: choice.kind === 'file' ? vscode.l10n.t('this file') : vscode.l10n.t('all in this folder'),
    choice,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Exclude from memory'),
    placeHolder: vscode.l10n.t(
      'Written into the settings of {0}, for all who open it. To keep a file out for yourself alone, forget it.',
      folder.name,
    ),
  });
  return picked?.choice;
}

/** What the folder's own settings exclude; those of the user stay where they are and hold as well. */
function ownGlobs(folder: vscode.WorkspaceFolder): readonly string[] {
  const found = vscode.workspace.getConfiguration('pincer', folder.uri).inspect(setting);
  return toGlobs(isOneOfSeveral() ? found?.workspaceFolderValue : found?.workspaceValue);
}

async function write(folder: vscode.WorkspaceFolder, globs: readonly string[]): Promise<void> {
  const target = isOneOfSeveral()
    ? vscode.ConfigurationTarget.WorkspaceFolder
    : vscode.ConfigurationTarget.Workspace;
  const value = globs.length === 0 ? undefined : globs;
  await vscode.workspace.getConfiguration('pincer', folder.uri).update(setting, value, target);
}

function isOneOfSeveral(): boolean {
  return vscode.workspace.workspaceFile !== undefined;
}

async function tellElsewhere({ source }: MemoryFile): Promise<void> {
  const open = vscode.l10n.t('Open User Config');
  const text =
    source === 'sessions'
      ? vscode.l10n.t('This is a session. memory.sources of your config says whether sessions are indexed.')
      : vscode.l10n.t(
          'This file is in no folder of the workspace. memory.extraPaths of your config names it.',
        );
  if ((await vscode.window.showInformationMessage(text, open)) === open)
    await vscode.commands.executeCommand('pincer.config.openUser');
}
