import type * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';

/** `Pincer: New Plugin…`: three questions, then a plugin that works, open in the editor. */
export function registerNewPlugin(context: vscode.ExtensionContext, runtime: LazyRuntime): vscode.Disposable {
  return registerCommand('pincer.plugins.new', async () => {
    const { newPluginFlow } = await import('../onDemand.ts');
    await newPluginFlow(await runtime.get(), context.extensionPath);
  });
}
