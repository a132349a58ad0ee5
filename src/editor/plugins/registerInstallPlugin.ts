import type * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';

/** `Pincer: Install Plugin…`: a folder or a packed plugin, for all workspaces, after saying what it does. */
export function registerInstallPlugin(runtime: LazyRuntime): vscode.Disposable {
  return registerCommand('pincer.plugins.install', async () => {
    const { installPluginFlow } = await import('../onDemand.ts');
    await installPluginFlow(runtime);
  });
}
