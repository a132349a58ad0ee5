import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { notificationText } from '../notificationText.ts';
import { registerCommand } from '../registerCommand.ts';

/** `Pincer: Add Model…`, also the gear of VS Code's own model list. */
export function registerModelCommands(runtime: LazyRuntime): vscode.Disposable {
  return registerCommand('pincer.models.add', async () => {
    const { addModelFlow } = await import('../onDemand.ts');
    const name = await addModelFlow(await runtime.get());
    if (name === undefined) return;
    const openConfig = vscode.l10n.t('Open User Config');
    const picked = await vscode.window.showInformationMessage(
      notificationText(vscode.l10n.t('{0} is now the default model. Pick models in the chat input.', name)),
      openConfig,
    );
    if (picked === openConfig) await vscode.commands.executeCommand('pincer.config.openUser');
  });
}
