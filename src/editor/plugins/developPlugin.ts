import * as vscode from 'vscode';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import { shownName } from './pluginIs.ts';

/**
 * Asks whether saving this plugin's files by hand is from now on enough to run them, and marks it. One of the home folder runs as it is
 * on the disk anyway, so that there is nothing to ask.
 */
export async function startDeveloping(runtime: Runtime, plugin: PluginRecord): Promise<void> {
  if (plugin.origin === 'workspace' && !(await confirm(plugin))) return;
  await runtime.plugins.setDeveloping(plugin.id, true);
}

async function confirm(plugin: PluginRecord): Promise<boolean> {
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
