import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { InstalledPlugin } from '../../plugins/install/uninstallPlugin.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import { notificationText } from '../notificationText.ts';

/** Removes a plugin that was installed, after asking, and lets go of it. */
export async function uninstall(runtime: Runtime, { id }: PluginRecord): Promise<void> {
  const { uninstallPlugin } = await import('../../runtime/index.ts');
  const { fs } = runtime.host;
  const isGone = await uninstallPlugin(
    { fs, home: runtime.workspace.home, others: runtime.plugins.plugins(), confirm },
    id,
  );
  if (!isGone) return;
  await runtime.workspace.reloadConfig();
  void vscode.window.showInformationMessage(notificationText(vscode.l10n.t('Uninstalled {0}.', id)));
}

async function confirm({ record, folder }: InstalledPlugin): Promise<boolean> {
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
