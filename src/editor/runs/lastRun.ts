import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';

/** `Pincer: Show Last Run`: what plugins and the host did in a run, changed and decided, in order. */
export function registerLastRun(context: vscode.ExtensionContext, runtime: LazyRuntime): vscode.Disposable {
  let panel: vscode.WebviewPanel | undefined;
  const command = registerCommand('pincer.runs.showLast', async () => {
    const { traces } = (await runtime.get()).turns;
    const { openRunPanel } = await import('../onDemand.ts');
    if (panel !== undefined) {
      panel.reveal();
      return;
    }
    panel = openRunPanel(context.extensionUri, traces);
    panel.onDidDispose(() => (panel = undefined));
  });
  return vscode.Disposable.from(command, { dispose: () => void panel?.dispose() });
}
