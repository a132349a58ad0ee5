import * as vscode from 'vscode';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { PluginTarget } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { findPlugin } from './findPlugin.ts';
import { openFileAt } from './openAtLine.ts';
import { pluginIs, shownName } from './pluginIs.ts';
import { revealFile } from './revealFile.ts';
import { showLoading } from './showLoading.ts';
import { inertLine } from '../../base/text.ts';
import type { InstalledPlugin } from '../../plugins/install/uninstallPlugin.ts';
import { notificationText } from '../notificationText.ts';

const isAny = (): boolean => true;
const hasManifest = ({ dexto }: PluginRecord): boolean => dexto === undefined;

/** How long the status bar says that something is done. Milliseconds. */
const shownMs = 3_000;

/** Make, install, switch, reload and open plugins, from the tree and from the palette. */
export function registerPluginCommands(
  context: vscode.ExtensionContext,
  runtime: LazyRuntime,
): vscode.Disposable {
  const withPlugin =
    (fits: (plugin: PluginRecord) => boolean, run: (plugin: PluginRecord, loaded: Runtime) => unknown) =>
    async (target: PluginTarget): Promise<void> => {
      const loaded = await runtime.get();
      const plugin = await findPlugin(loaded, target, fits);
      if (plugin !== undefined) await run(plugin, loaded);
    };
  return vscode.Disposable.from(
    registerCommand('pincer.plugins.new', async () => {
      const { newPluginFlow } = await import('../onDemand.ts');
      await newPluginFlow(await runtime.get(), context.extensionPath);
    }),
    registerCommand('pincer.plugins.install', async () => {
      const { installPluginFlow } = await import('../onDemand.ts');
      await installPluginFlow(runtime);
    }),
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

async function enable(plugin: PluginRecord, loaded: Pick<Runtime, 'plugins'>): Promise<void> {
  const { enablePlugin } = await import('../onDemand.ts');
  await enablePlugin(loaded, plugin);
}

/** A broken one above all: that is when somebody wants to see it. */
async function openAgentFile({ plugins }: Pick<Runtime, 'plugins'>): Promise<void> {
  const path = await plugins.dexto.agentFilePath();
  if (path !== undefined) await openFileAt(path, undefined);
  else
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is no agent file. Pincer reads .pincer/agent.yml in the workspace.'),
    );
}

/** Takes the user's word back, after asking: the plugin stops, and enabling it asks again. */
async function forgetConsent(runtime: Pick<Runtime, 'plugins'>, plugin: PluginRecord): Promise<void> {
  const button = vscode.l10n.t('Forget');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Forget that you allowed {0}?', shownName(plugin)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'It stops at once, and asks again before it runs, here and in every other workspace that has it. Its files and settings stay.',
      ),
    },
    button,
  );
  if (choice === button) await runtime.plugins.revokeConsent(plugin.id);
}

/**
 * Asks whether saving this plugin's files by hand is from now on enough to run them, and marks it. One of the home folder runs as it is
 * on the disk anyway, so that there is nothing to ask.
 */
async function startDeveloping(runtime: Pick<Runtime, 'plugins'>, plugin: PluginRecord): Promise<void> {
  if (plugin.origin === 'workspace' && !(await confirmDeveloping(plugin))) return;
  await runtime.plugins.setDeveloping(plugin.id, true);
}

async function confirmDeveloping(plugin: PluginRecord): Promise<boolean> {
  const button = vscode.l10n.t('I Am Developing It');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Run {0} as you save it?', shownName(plugin)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'A file of this plugin that you save in the editor then takes effect with the next turn, without a question. Changes by anything else, such as the agent or a checkout, still ask first.',
      ),
    },
    button,
  );
  return choice === button;
}

/** Removes a plugin that was installed, after asking, and lets go of it. */
async function uninstall(
  runtime: Pick<Runtime, 'host' | 'workspace' | 'plugins'>,
  { id }: PluginRecord,
): Promise<void> {
  const { uninstallPlugin } = await import('../../runtime/index.ts');
  const { fs } = runtime.host;
  const isGone = await uninstallPlugin(
    { fs, home: runtime.workspace.home, others: runtime.plugins.plugins(), confirm: confirmUninstall },
    id,
  );
  if (!isGone) return;
  await runtime.workspace.reloadConfig();
  void vscode.window.showInformationMessage(notificationText(vscode.l10n.t('Uninstalled {0}.', id)));
}

async function confirmUninstall({ record, folder }: InstalledPlugin): Promise<boolean> {
  const button = vscode.l10n.t('Uninstall');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Uninstall the plugin {0}?', inertLine(`${record.id} ${record.pluginVersion ?? ''}`, 80)),
    {
      modal: true,
      detail: [
        vscode.l10n.t(
          'Its files are removed, for every workspace. Its settings and what it has stored for itself stay.',
        ),
        vscode.l10n.t('Installed from: {0}', inertLine(record.source, 200)),
        folder,
      ].join('\n'),
    },
    button,
  );
  return choice === button;
}
