import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { PluginTarget } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { notificationText } from '../notificationText.ts';
import { registerCommand } from '../registerCommand.ts';

/** Switch, reload and open plugins, from the tree and from the palette. */
export function registerPluginCommands(runtime: LazyRuntime): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('pincer.plugins.enable', async (target) => {
      const loaded = await runtime.get();
      const plugin = await findPlugin(loaded, target, (each) => each.status === 'disabled');
      if (plugin !== undefined && (await confirmConsent(plugin))) await enable(loaded, plugin);
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

/** Says why where the plugin does not run even now. */
async function enable(runtime: Runtime, plugin: PluginRecord): Promise<void> {
  await runtime.setPluginEnabled(plugin.id, true, plugin.needsConsent?.hash);
  const now = runtime.plugins.plugins().find((each) => each.source === plugin.source);
  if (now !== undefined && now.status !== 'loaded') {
    void vscode.window.showWarningMessage(
      notificationText(vscode.l10n.t('{0} does not run: {1}', plugin.id, now.reason)),
    );
  }
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
    vscode.l10n.t(
      'Enable the workspace plugin {0} ({1})?',
      inertLine(plugin.name, 60),
      inertLine(plugin.id, 60),
    ),
    { modal: true, detail: consentDetail(plugin) },
    enable,
  );
  return choice === enable;
}

function consentDetail(plugin: PluginRecord): string {
  const { asks, needsConsent } = plugin;
  const none = vscode.l10n.t('none found');
  const list = (names: readonly string[] | undefined): string =>
    names === undefined || names.length === 0 ? none : shortList(names);
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

/** Names come from the plugin's own files: each on one line, and not more than a dialog can hold. */
function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => inertLine(name, 60));
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} ${vscode.l10n.t('and {0} more', more)}`;
}
