import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import type { openRunPanel } from './openRunPanel.ts';

/** `Pincer: Show Last Run`: what plugins and the host did in a run, changed and decided, in order. */
export function registerLastRun(context: vscode.ExtensionContext, runtime: LazyRuntime): vscode.Disposable {
  let shown: ReturnType<typeof openRunPanel> | undefined;
  const command = registerCommand('pincer.runs.showLast', async (target) => {
    const choice = target?.runId === undefined ? {} : { runId: target.runId };
    const { traces } = (await runtime.get()).turns;
    const { openRunPanel } = await import('../onDemand.ts');
    if (shown !== undefined) {
      shown.panel.reveal();
      if (target !== undefined) shown.choose(choice);
      return;
    }
    shown = openRunPanel(context.extensionUri, traces, choice);
    shown.panel.onDidDispose(() => (shown = undefined));
  });
  return vscode.Disposable.from(command, { dispose: () => void shown?.panel.dispose() });
}
