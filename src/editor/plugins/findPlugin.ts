import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { PluginTarget } from '../commandTable.ts';
import { shownName } from './pluginIs.ts';

/** The plugin that is meant: the one of the row or link, or the one the user picks of those that fit. */
export async function findPlugin(
  runtime: Pick<Runtime, 'plugins'>,
  target: PluginTarget,
  fits: (plugin: PluginRecord) => boolean,
): Promise<PluginRecord | undefined> {
  const plugins = runtime.plugins.plugins();
  if (target !== undefined) {
    // Of two plugins with one id, the row that was clicked is meant.
    const named = plugins.filter((each) => each.id === target.pluginId);
    return named.find((each) => each.source === target.source) ?? named[0];
  }
  const candidates = plugins.filter(fits);
  if (candidates.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no plugin for this.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    candidates.map((plugin) => ({
      // `$(name)` would show as an icon.
      label: shownName(plugin).replaceAll('$(', '$ ('),
      description: `${plugin.origin} · ${plugin.status}`,
      detail: inertLine(plugin.reason, 120).replaceAll('$(', '$ ('),
      plugin,
    })),
    { placeHolder: vscode.l10n.t('Which plugin?'), matchOnDescription: true },
  );
  return picked?.plugin;
}
