import * as vscode from 'vscode';
import { createTimer } from '../../base/createTimer.ts';
import type { ExecutionProfile } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { namedRow } from '../namedRow.ts';
import { coarseProfile } from './dextoRows.ts';
import { planChildRows, planRootRows, type PluginRow } from './pluginRows.ts';

/** Changes come in bursts: a plugin that loads is on, then has problems, then hooks. Milliseconds from the first to the redraw. */
const burstMs = 150;

/** The plugin registry: state, reason, what each plugin brought, and what is wrong and can be done about it. */
export function registerPluginsTree(runtime: LazyRuntime): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const configKeys = (id: string): number => Object.keys(runtime.peek()?.plugins.configOf(id) ?? {}).length;
  const view = vscode.window.createTreeView<PluginRow>('pincer.plugins', {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      async getTreeItem(row) {
        const { toPluginItem } = await import('../onDemand.ts');
        return namedRow(toPluginItem(row, configKeys));
      },
      async resolveTreeItem(item, row) {
        // Calls that go well redraw nothing, so what counts them is made when it is looked at.
        if (row.kind !== 'point') return item;
        const { pointTooltip } = await import('../onDemand.ts');
        item.tooltip = pointTooltip(row, profileOf(runtime.peek(), row.plugin.id));
        return item;
      },
      async getChildren(row) {
        if (row !== undefined) return [...planChildRows(row)];
        const loaded = await runtime.get();
        return [
          ...planRootRows(
            loaded.plugins.plugins(),
            loaded.workspace.diagnostics(),
            loaded.plugins.operatorHooks.list(),
          ),
        ];
      },
    },
  });
  const attached = runtime.whenLoaded((loaded) => {
    let shown = '';
    const refresh = (): void => {
      // A redrawn row swallows the click that is on its way to it, so turns that begin and end redraw nothing.
      const plugins = loaded.plugins.plugins();
      const keys = plugins.map(({ id }) => configKeys(id));
      const now = JSON.stringify(
        [plugins, keys, loaded.plugins.operatorHooks.list(), loaded.workspace.diagnostics()],
        (key, value: unknown) => (key === 'profile' ? coarseProfile(value as ExecutionProfile) : value),
      );
      if (now === shown) return;
      shown = now;
      const problems = loaded.workspace.diagnostics().filter((each) => each.level !== 'info').length;
      view.badge =
        problems === 0 ? undefined : { value: problems, tooltip: vscode.l10n.t('Problems: {0}', problems) };
      changed.fire();
    };
    refresh();
    const timer = createTimer(burstMs, refresh);
    return vscode.Disposable.from(loaded.workspace.onDidChange(timer.start), timer);
  });
  return vscode.Disposable.from(view, changed, attached);
}

function profileOf(runtime: Runtime | undefined, id: string): ExecutionProfile | undefined {
  return runtime?.plugins.plugins().find((each) => each.id === id)?.dexto?.profile;
}
