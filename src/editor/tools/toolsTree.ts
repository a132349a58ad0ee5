import * as vscode from 'vscode';
import { openChat } from '../openChat.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { namedRow } from '../namedRow.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { ToolCatalog } from '../../tools/catalog.ts';
import { childRows, planToolRows, type ToolRow } from './toolRows.ts';

/** The tools that a new session would have, and those that are hidden, each with the layer that hides it. */
export function registerToolsTree(runtime: LazyRuntime): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let shown = '';
  const view = vscode.window.createTreeView<ToolRow>('pincer.tools', {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      async getTreeItem(row) {
        const { toToolItem } = await import('../onDemand.ts');
        return namedRow(toToolItem(row));
      },
      async getChildren(row) {
        if (row !== undefined) return [...childRows(row)];
        const catalog = catalogOf(await runtime.get());
        shown = digestOf(catalog);
        return [...planToolRows(catalog)];
      },
    },
  });
  const attached = runtime.whenLoaded((loaded) =>
    loaded.workspace.onDidChange(() => {
      // Plugins make their tools anew each time: nobody looks, nothing is made. And a redrawn row swallows a click.
      if (view.visible && digestOf(catalogOf(loaded)) !== shown) changed.fire();
    }),
  );
  const becameVisible = view.onDidChangeVisibility(({ visible }) => {
    if (visible && shown !== '') changed.fire();
  });
  return vscode.Disposable.from(
    view,
    changed,
    attached,
    becameVisible,
    registerCommand('pincer.tools.explain', async (target) => {
      const name = target?.toolName ?? (await pickTool(catalogOf(await runtime.get())));
      if (name !== undefined) await openChat(`/tools ${name}`, true);
    }),
    registerCommand('pincer.tools.tryCommand', async () => {
      const { tryCommand } = await import('../onDemand.ts');
      tryCommand(await runtime.get());
    }),
  );
}

function catalogOf(runtime: Pick<Runtime, 'tools' | 'conversations'>): ToolCatalog {
  return runtime.tools.catalogFor(runtime.conversations.create());
}

function digestOf(catalog: ToolCatalog): string {
  const offered = catalog.tools().map(({ name, label, owner }) => [name, label, owner]);
  return JSON.stringify([offered, catalog.hidden(), catalog.diagnostics()]);
}

async function pickTool(catalog: ToolCatalog): Promise<string | undefined> {
  const items = [
    ...catalog.tools().map(({ name, label }) => ({ label: name, description: label })),
    ...catalog.hidden().map(({ name, reason }) => ({
      label: name,
      description: vscode.l10n.t('hidden: {0}', reason),
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Explain a tool'),
    placeHolder: vscode.l10n.t('Which tool? The chat says whether the agent has it, and what decides that.'),
    matchOnDescription: true,
  });
  return picked?.label;
}
