import * as vscode from 'vscode';
import { createTimer } from '../../base/createTimer.ts';
import type { ExecutionProfile } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { createRowTree } from '../trees/createRowTree.ts';
import { planChildRows, planRootRows, pluginRowKey, pluginRowLook, type PluginRow } from './pluginRows.ts';

/** Changes come in bursts: a plugin that loads is on, then has problems, then hooks. Milliseconds from the first to the redraw. */
const burstMs = 150;

/** The plugin registry: state, reason, what each plugin brought, and what is wrong and can be done about it. */
export function registerPluginsTree(runtime: LazyRuntime): vscode.Disposable {
  const configKeys = (id: string): number => Object.keys(runtime.peek()?.plugins.configOf(id) ?? {}).length;
  const tree = createRowTree<PluginRow>(
    'pincer.plugins',
    {
      keyOf: pluginRowKey,
      childrenOf: planChildRows,
      // Turns that begin and end draw nothing anew: only what a row shows counts.
      lookOf: (row) => pluginRowLook(row, configKeys),
      plan: async () => planRows(await runtime.get()),
      async itemOf(row) {
        const { toPluginItem } = await import('../onDemand.ts');
        return toPluginItem(row, configKeys);
      },
      async resolveTreeItem(item, row) {
        // Calls that go well redraw nothing, so what counts them is made when it is looked at.
        if (row.kind !== 'point') return item;
        const { pointTooltip } = await import('../onDemand.ts');
        item.tooltip = pointTooltip(row, profileOf(runtime.peek(), row.plugin.id));
        return item;
      },
    },
    { showCollapseAll: true },
  );
  const attached = runtime.whenLoaded((loaded) => {
    const refresh = (): void => {
      const problems = loaded.workspace.diagnostics().filter((each) => each.level !== 'info').length;
      tree.view.badge =
        problems === 0 ? undefined : { value: problems, tooltip: vscode.l10n.t('Problems: {0}', problems) };
      tree.show(planRows(loaded));
    };
    refresh();
    const timer = createTimer(burstMs, refresh);
    return vscode.Disposable.from(loaded.workspace.onDidChange(timer.start), timer);
  });
  return vscode.Disposable.from(tree, attached);
}

function planRows({ plugins, workspace }: Runtime): readonly PluginRow[] {
  return planRootRows(plugins.plugins(), workspace.diagnostics(), plugins.operatorHooks.list());
}

function profileOf(runtime: Runtime | undefined, id: string): ExecutionProfile | undefined {
  return runtime?.plugins.plugins().find((each) => each.id === id)?.dexto?.profile;
}
