import * as vscode from 'vscode';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import { shownName } from './pluginIs.ts';

/** Takes the user's word back, after asking: the plugin stops, and enabling it asks again. */
export async function forgetConsent(runtime: Runtime, plugin: PluginRecord): Promise<void> {
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
