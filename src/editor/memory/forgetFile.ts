import * as vscode from 'vscode';
import type { MemoryFile } from '../../memory/memory.ts';
import type { Runtime } from '../../runtime/index.ts';
import { notificationText } from '../notificationText.ts';
import { inBackground } from '../registerCommand.ts';

/** Takes a file out of the memory; the way back stands in the message and in the view. */
export async function forgetFile(
  { path, label }: Pick<MemoryFile, 'path' | 'label'>,
  { memory }: Pick<Runtime, 'memory'>,
): Promise<void> {
  await memory.forget(path);
  const undo = vscode.l10n.t('Remember Again');
  const text = vscode.l10n.t(
    '{0} is forgotten: searches and answers no longer use it. The file itself stays.',
    label,
  );
  // The command is done; the answer may come much later.
  inBackground(
    vscode.window.showInformationMessage(notificationText(text), undo).then(async (answer) => {
      if (answer === undo) await memory.remember(path);
    }),
  );
}
