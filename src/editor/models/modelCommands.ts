import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand, tell } from '../registerCommand.ts';
import { loadWithBox } from '../withBox.ts';
import type { LastUsedTracker } from '../sessions/lastUsed.ts';

/** `Pincer: Add Model…`, also the gear of VS Code's own model list, signing in to plugins' providers, and what models cost. */
export function registerModelCommands(runtime: LazyRuntime, last: LastUsedTracker): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('pincer.models.add', async () => {
      const loaded = await loadWithBox(runtime, vscode.l10n.t('Add a model'));
      const { addModel } = await import('../onDemand.ts');
      await addModel(loaded, last);
    }),
    registerCommand('pincer.models.signIn', async () => {
      const loaded = await loadWithBox(runtime, vscode.l10n.t('Sign in to a model provider'));
      const { signInFlow } = await import('../onDemand.ts');
      await signInFlow(loaded);
    }),
    registerCommand('pincer.models.editPrice', async (target) => {
      const { editPriceFlow } = await import('../onDemand.ts');
      const told = await editPriceFlow(await runtime.get(), target);
      if (told !== undefined) tell(told);
    }),
  );
}
