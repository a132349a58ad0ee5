import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { notificationText } from '../notificationText.ts';
import { registerCommand, tell } from '../registerCommand.ts';

/** `Pincer: Add Model…`, also the gear of VS Code's own model list, and what models cost. */
export function registerModelCommands(runtime: LazyRuntime): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('pincer.models.add', () => addModel(runtime)),
    registerCommand('pincer.models.editPrice', async (target) => {
      const { editPriceFlow } = await import('../onDemand.ts');
      const told = await editPriceFlow(await runtime.get(), target);
      if (told !== undefined) tell(told);
    }),
  );
}

async function addModel(runtime: LazyRuntime): Promise<void> {
  const { addModelFlow } = await import('../onDemand.ts');
  const loaded = await runtime.get();
  const name = await addModelFlow(loaded);
  if (name === undefined) return;
  const editPrice = vscode.l10n.t('Edit Price…');
  const openConfig = vscode.l10n.t('Open User Config');
  const isPriced = loaded.models.find(name)?.info.cost !== undefined;
  const picked = await vscode.window.showInformationMessage(
    notificationText(vscode.l10n.t('{0} is now the default model. Pick models in the chat input.', name)),
    ...(isPriced ? [] : [editPrice]),
    openConfig,
  );
  if (picked === editPrice) await vscode.commands.executeCommand('pincer.models.editPrice', { model: name });
  if (picked === openConfig) await vscode.commands.executeCommand('pincer.config.openUser');
}
