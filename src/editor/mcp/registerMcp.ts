import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { currentFolders, stateFolder } from '../stateFolder.ts';
import { readSetting } from '../readSetting.ts';
import { registerCommand } from '../registerCommand.ts';
import { loadWithBox } from '../withBox.ts';
import type { McpFlows } from './createMcpFlows.ts';

/** The commands of MCP servers; everything else of them loads with the first of them. */
export function registerMcp(context: vscode.ExtensionContext, runtime: LazyRuntime): vscode.Disposable {
  let flows: McpFlows | undefined;
  const steps = ['add', 'review', 'restart', 'stop', 'showLog', 'open', 'remove'] as const;
  return vscode.Disposable.from(
    offerServer(context),
    ...steps.map((step) =>
      registerCommand(`pincer.mcp.${step}`, async (target) => {
        const loaded = await loadWithBox(runtime, vscode.l10n.t('MCP servers'));
        const { createMcpFlows } = await import('../onDemand.ts');
        flows ??= createMcpFlows(context.subscriptions);
        await flows[step](loaded, target);
      }),
    ),
  );
}

/**
 * Pincer's own knowledge for the editor's other agents; the editor asks before it starts it. Only where the user wants it, since the
 * editor's first message of each window waits for new servers; and not before the folder is trusted.
 */
function offerServer(context: vscode.ExtensionContext): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider = vscode.lm.registerMcpServerDefinitionProvider('pincer', {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions() {
      const [folder] = currentFolders();
      if (folder === undefined || !vscode.workspace.isTrusted || !readSetting('mcp.offerServer')) return [];
      const cli = context.asAbsolutePath('dist/cli.js');
      const places = ['--workspace', folder, '--state-dir', stateFolder(context)];
      // The editor's own program is no Node without this.
      const env = { ELECTRON_RUN_AS_NODE: '1' };
      return [
        new vscode.McpStdioServerDefinition(
          'Pincer',
          process.execPath,
          [cli, 'mcp', 'serve', ...places],
          env,
        ),
      ];
    },
  });
  return vscode.Disposable.from(
    provider,
    changed,
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('pincer.mcp.offerServer')) changed.fire();
    }),
  );
}
