import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand, tell } from '../registerCommand.ts';
import type { LastUsedTracker } from '../sessions/lastUsed.ts';

/** `Pincer: Add Model…`, also the gear of VS Code's own model list, signing in to plugins' providers, and what models cost. */
export function registerModelCommands(runtime: LazyRuntime, last: LastUsedTracker): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('pincer.models.add', async () => {
      const { addModel } = await import('../onDemand.ts');
      await addModel(await runtime.get(), last);
    }),
    registerCommand('pincer.models.signIn', async () => {
      const { signInFlow } = await import('../onDemand.ts');
      await signInFlow(await runtime.get());
    }),
    registerCommand('pincer.models.editPrice', async (target) => {
      const { editPriceFlow } = await import('../onDemand.ts');
      const told = await editPriceFlow(await runtime.get(), target);
      if (told !== undefined) tell(told);
    }),
  );
}
