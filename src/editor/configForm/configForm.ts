import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { findPlugin } from '../plugins/findPlugin.ts';
import { isConfigurable } from '../plugins/pluginIs.ts';
import { registerCommand } from '../registerCommand.ts';

/** `Pincer: Configure Plugin…`: one form for each plugin, made from the schema in its manifest. */
export function registerConfigForm(
  context: vscode.ExtensionContext,
  runtime: LazyRuntime,
): vscode.Disposable {
  const panels = new Map<string, vscode.WebviewPanel>();
  const command = registerCommand('pincer.plugins.configure', async (target) => {
    const loaded = await runtime.get();
    const { openForm } = await import('../onDemand.ts');
    const plugin = await findPlugin(loaded, target, isConfigurable);
    if (plugin === undefined) return;
    const open = panels.get(plugin.id);
    if (open !== undefined) {
      open.reveal();
      return;
    }
    const panel = openForm(context.extensionUri, loaded, plugin);
    panels.set(plugin.id, panel);
    panel.onDidDispose(() => panels.delete(plugin.id));
  });
  return vscode.Disposable.from(command, {
    dispose() {
      for (const panel of panels.values()) panel.dispose();
    },
  });
}
