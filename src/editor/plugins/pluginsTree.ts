import * as vscode from 'vscode';
import { createTimer } from '../../base/createTimer.ts';
import type { ExecutionProfile } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { createRowTree } from '../trees/createRowTree.ts';
import { inBackground } from '../registerCommand.ts';
import type { GatewayBase } from '../gateway/gatewayBase.ts';
import type * as PluginRows from './pluginRows.ts';
import type { PluginRow } from './pluginRows.ts';

/** Changes come in bursts: a plugin that loads is on, then has problems, then hooks. Milliseconds from the first to the redraw. */
const redrawDelayMs = 150;

/** The plugin registry: state, reason, what each plugin brought, and what is wrong and can be done about it. */
export function registerPluginsTree(runtime: LazyRuntime): vscode.Disposable {
  const configKeys = (id: string): number => Object.keys(runtime.peek()?.plugins.configOf(id) ?? {}).length;
  /** What makes rows loads with the runtime; there is none before. */
  let rows: typeof PluginRows | undefined;
  /** Asked once a plugin has something served. */
  let base: GatewayBase | undefined;
  const plan = async (loaded: Runtime): Promise<readonly PluginRow[]> => {
    const { plugins, workspace, mcp, gateway } = loaded;
    const { createGatewayBase, pluginRows } = await import('../onDemand.ts');
    rows = pluginRows;
    const routes = gateway.routes();
    if (routes.length > 0) base ??= createGatewayBase(gateway, () => inBackground(show(loaded)));
    return rows.planRootRows(
      plugins.plugins(),
      workspace.diagnostics(),
      plugins.operatorHooks.list(),
      mcp.list(),
      rows.servedNow(gateway.status(), routes, base?.()),
    );
  };
  const show = async (loaded: Runtime): Promise<void> => tree.show(await plan(loaded));
  const tree = createRowTree<PluginRow>(
    'pincer.plugins',
    {
      keyOf: (row) => rows?.pluginRowKey(row) ?? '',
      childrenOf: (row) => rows?.planChildRows(row) ?? [],
      // Turns that begin and end draw nothing anew: only what a row shows counts.
      lookOf: (row) => rows?.pluginRowLook(row, configKeys) ?? '',
      plan: async () => await plan(await runtime.get()),
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
      inBackground(show(loaded));
    };
    refresh();
    const timer = createTimer(redrawDelayMs, refresh);
    return vscode.Disposable.from(loaded.workspace.onDidChange(timer.start), timer);
  });
  return vscode.Disposable.from(tree, attached);
}

function profileOf(runtime: Runtime | undefined, id: string): ExecutionProfile | undefined {
  return runtime?.plugins.plugins().find((each) => each.id === id)?.dexto?.profile;
}
