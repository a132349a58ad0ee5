import * as vscode from 'vscode';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { PluginTarget } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';

/** Switch, reload and open plugins, from the tree and from the palette. */
export function registerPluginCommands(runtime: LazyRuntime): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('pincer.plugins.enable', async (target) => {
      const loaded = await runtime.get();
      const plugin = await findPlugin(loaded, target, (each) => each.status === 'disabled');
      if (plugin !== undefined && (await confirmConsent(plugin)))
        await loaded.setPluginEnabled(plugin.id, true);
    }),
    registerCommand('pincer.plugins.disable', async (target) => {
      const loaded = await runtime.get();
      const plugin = await findPlugin(loaded, target, (each) => each.status !== 'disabled');
      if (plugin !== undefined) await loaded.setPluginEnabled(plugin.id, false);
    }),
    registerCommand('pincer.plugins.reload', async (target) => {
      const loaded = await runtime.get();
      const plugin = await findPlugin(loaded, target, (each) => each.status !== 'disabled');
      if (plugin !== undefined) await loaded.reloadPlugin(plugin.id);
    }),
    registerCommand('pincer.plugins.reloadAll', async () => await (await runtime.get()).reload()),
    registerCommand('pincer.plugins.openSource', async (target) => {
      const plugin = await findPlugin(await runtime.get(), target, () => true);
      if (plugin !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(plugin.source));
    }),
  );
}

async function findPlugin(
  runtime: Runtime,
  target: PluginTarget,
  fits: (plugin: PluginRecord) => boolean,
): Promise<PluginRecord | undefined> {
  const plugins = runtime.plugins.plugins();
  if (target !== undefined) return plugins.find((each) => each.id === target.pluginId);
  const candidates = plugins.filter(fits);
  if (candidates.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no plugin for this.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    candidates.map((plugin) => ({
      label: plugin.name,
      description: plugin.status,
      detail: plugin.reason,
      plugin,
    })),
    { placeHolder: vscode.l10n.t('Which plugin?') },
  );
  return picked?.plugin;
}

/** A workspace plugin runs with the user's rights, so enabling it says first what it asks for (rulings P4). */
async function confirmConsent(plugin: PluginRecord): Promise<boolean> {
  if (plugin.needsConsent === undefined) return true;
  const enable = vscode.l10n.t('Enable');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Enable the workspace plugin {0}?', plugin.name),
    { modal: true, detail: consentDetail(plugin) },
    enable,
  );
  return choice === enable;
}

function consentDetail(plugin: PluginRecord): string {
  const { asks, needsConsent } = plugin;
  const none = vscode.l10n.t('none found');
  const list = (names: readonly string[] | undefined): string =>
    names === undefined || names.length === 0 ? none : names.join(', ');
  return [
    vscode.l10n.t('It comes with this workspace and runs with your rights, outside any sandbox.'),
    vscode.l10n.t('Tools: {0}', list(asks?.tools)),
    vscode.l10n.t('Hooks: {0}', list(asks?.hooks)),
    vscode.l10n.t('Reaches: {0}', list(asks?.reaches)),
    ...(asks?.conversation === true ? [vscode.l10n.t('It wants to read what is said.')] : []),
    ...(needsConsent?.why === 'files-changed'
      ? [vscode.l10n.t('Changed since you enabled it: {0}', list(needsConsent.changedFiles))]
      : []),
    plugin.rootDir,
  ].join('\n');
}
