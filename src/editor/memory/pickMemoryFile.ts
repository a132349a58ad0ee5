import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { MemoryFile } from '../../memory/memory.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { MemoryTarget } from '../commandTable.ts';
import { noIcons } from './hitItems.ts';
import { fileText } from './memoryTexts.ts';

/**
 * The file that a command is about: the one of the row or link, the one that is selected where a key of the view was pressed, else
 * the one the user picks of those that fit, with that of the active editor first.
 */
export async function pickMemoryFile(
  { memory }: Pick<Runtime, 'memory'>,
  tree: { readonly selectedFile: () => { readonly path: string } | undefined },
  target: MemoryTarget,
  choice: { readonly title: string; readonly fits: (file: MemoryFile) => boolean },
): Promise<MemoryFile | undefined> {
  const files = await memory.files();
  const path = target === 'selected' ? tree.selectedFile()?.path : target?.path;
  if (path !== undefined) return files.find((each) => each.path === path);
  if (target === 'selected') return undefined;
  const fitting = files.filter(choice.fits);
  if (fitting.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The memory has no file for this.'));
    return undefined;
  }
  const active = vscode.window.activeTextEditor?.document.uri.fsPath;
  const isActive = (file: MemoryFile): boolean => vscode.Uri.file(file.path).fsPath === active;
  const ordered = [...fitting.filter(isActive), ...fitting.filter((file) => !isActive(file))];
  const picked = await vscode.window.showQuickPick(
    ordered.map((file) => ({ label: shownLabel(file.label), description: fileText(file), file })),
    { title: choice.title, placeHolder: vscode.l10n.t('Which file?') },
  );
  return picked?.file;
}

/** A file's label as an entry of a list. */
export function shownLabel(label: string): string {
  return noIcons(inertLine(label, 300));
}
