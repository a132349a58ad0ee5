import * as vscode from 'vscode';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { PluginTarget } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { startDeveloping } from './developPlugin.ts';
import { findPlugin } from './findPlugin.ts';
import { forgetConsent } from './forgetConsent.ts';
import { openFileAt } from './openAtLine.ts';
import { pluginIs } from './pluginIs.ts';
import { revealFile } from './revealFile.ts';
import { showLoading } from './showLoading.ts';
import { uninstall } from './uninstall.ts';

const isAny = (): boolean => true;
const hasManifest = ({ dexto }: PluginRecord): boolean => dexto === undefined;

/** How long the status bar says that something is done. Milliseconds. */
const shownMs = 3_000;

/** Switch, reload and open plugins, from the tree and from the palette. */
export function registerPluginCommands(runtime: LazyRuntime): vscode.Disposable {
  const withPlugin =
    (fits: (plugin: PluginRecord) => boolean, run: (plugin: PluginRecord, loaded: Runtime) => unknown) =>
    async (target: PluginTarget): Promise<void> => {
      const loaded = await runtime.get();
      const plugin = await findPlugin(loaded, target, fits);
      if (plugin !== undefined) await run(plugin, loaded);
    };
  return vscode.Disposable.from(
    registerCommand('pincer.plugins.enable', withPlugin(pluginIs.off, enable)),
    registerCommand('pincer.plugins.allowChanges', withPlugin(pluginIs.changed, enable)),
    registerCommand(
      'pincer.plugins.disable',
      withPlugin(pluginIs.on, (plugin, loaded) =>
        showLoading(() => loaded.plugins.setEnabled(plugin.id, false)),
      ),
    ),
    registerCommand(
      'pincer.plugins.reload',
      withPlugin(pluginIs.on, (plugin, loaded) => showLoading(() => loaded.plugins.reload(plugin.id))),
    ),
    registerCommand('pincer.plugins.reloadAll', async () => {
      const { workspace } = await runtime.get();
      await showLoading(() => workspace.reload());
      vscode.window.setStatusBarMessage(vscode.l10n.t('Pincer: config and plugins reloaded'), shownMs);
    }),
    registerCommand(
      'pincer.plugins.openSource',
      withPlugin(isAny, (plugin) => vscode.window.showTextDocument(vscode.Uri.file(plugin.source))),
    ),
    registerCommand(
      'pincer.plugins.openManifest',
      withPlugin(hasManifest, (plugin) =>
        vscode.window.showTextDocument(vscode.Uri.file(plugin.manifestPath)),
      ),
    ),
    registerCommand('pincer.plugins.openAgentFile', async (target) => {
      const loaded = await runtime.get();
      if (target === undefined) {
        await openAgentFile(loaded);
        return;
      }
      const plugin = await findPlugin(loaded, target, pluginIs.ofAgentFile);
      if (plugin !== undefined) await openFileAt(plugin.manifestPath, plugin.dexto?.line);
    }),
    registerCommand(
      'pincer.plugins.develop',
      withPlugin(pluginIs.undeveloped, (plugin, loaded) => startDeveloping(loaded, plugin)),
    ),
    registerCommand(
      'pincer.plugins.stopDeveloping',
      withPlugin(pluginIs.developing, (plugin, loaded) => loaded.plugins.setDeveloping(plugin.id, false)),
    ),
    registerCommand(
      'pincer.plugins.forgetConsent',
      withPlugin(pluginIs.allowed, (plugin, loaded) => forgetConsent(loaded, plugin)),
    ),
    registerCommand(
      'pincer.plugins.uninstall',
      withPlugin(pluginIs.global, (plugin, loaded) => uninstall(loaded, plugin)),
    ),
    registerCommand(
      'pincer.plugins.reveal',
      withPlugin(isAny, (plugin) => revealFile(plugin.source)),
    ),
    registerCommand(
      'pincer.plugins.copyId',
      withPlugin(isAny, (plugin) => vscode.env.clipboard.writeText(plugin.id)),
    ),
  );
}

async function enable(plugin: PluginRecord, loaded: Runtime): Promise<void> {
  const { enablePlugin } = await import('../onDemand.ts');
  await enablePlugin(loaded, plugin);
}

/** A broken one above all: that is when somebody wants to see it. */
async function openAgentFile({ plugins }: Runtime): Promise<void> {
  const path = await plugins.dexto.agentFilePath();
  if (path !== undefined) await openFileAt(path, undefined);
  else
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is no agent file. Pincer reads .pincer/agent.yml in the workspace.'),
    );
}
