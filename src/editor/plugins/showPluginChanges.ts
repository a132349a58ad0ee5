import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import { notificationText } from '../notificationText.ts';
import { shownName } from './pluginRows.ts';
import { shownNames } from './shownNames.ts';

/** What has changed in a plugin since the user agreed to it: each file beside the copy of that time. */
export async function showPluginChanges(runtime: Runtime, plugin: PluginRecord): Promise<void> {
  const changes = await runtime.plugins.changesOf(plugin.id);
  const shown = (changes ?? []).filter(({ before, after }) => before !== undefined || after !== undefined);
  if (shown.length === 0) {
    const names = shownNames(plugin.needsConsent?.changedFiles);
    void vscode.window.showInformationMessage(
      notificationText(
        changes === undefined
          ? vscode.l10n.t(
              'Changed since you enabled {0}: {1}. The version of that time is not kept any more.',
              plugin.id,
              names,
            )
          : vscode.l10n.t('Changed since you enabled {0}: {1}', plugin.id, names),
      ),
    );
    return;
  }
  await vscode.commands.executeCommand(
    'vscode.changes',
    vscode.l10n.t('{0}: as you enabled it ↔ now', inertLine(shownName(plugin), 60)),
    shown.map(({ path, before, after }) => [
      vscode.Uri.file(after ?? path),
      ...[before, after].map((side) => (side === undefined ? undefined : vscode.Uri.file(side))),
    ]),
  );
}
