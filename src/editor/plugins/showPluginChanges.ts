import { join } from 'node:path';
import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { notificationText } from '../notificationText.ts';
import { shownName } from './pluginIs.ts';
import { shownNames } from './shownNames.ts';

/** What a plugin's file held when the user agreed to it; read-only. The query is the plugin's id. */
const scheme = 'pincer-agreed';

export function registerAgreedDocuments(runtime: LazyRuntime): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent({ query: id, path }) {
      const { plugins } = await runtime.get();
      const rootDir = plugins.plugins().find((each) => each.id === id)?.rootDir ?? '';
      const { fsPath } = vscode.Uri.file(path);
      const change = (await plugins.changesOf(id))?.find((each) => join(rootDir, each.path) === fsPath);
      if (change?.before === undefined) return '';
      return await vscode.workspace.decode(
        await vscode.workspace.fs.readFile(vscode.Uri.file(change.before)),
        { encoding: 'utf8' },
      );
    },
  });
}

/** What has changed in a plugin since the user agreed to it: each file beside what it held then. */
export async function showPluginChanges(
  runtime: Pick<Runtime, 'plugins'>,
  plugin: PluginRecord,
): Promise<void> {
  const { id, rootDir, needsConsent } = plugin;
  const changes = await runtime.plugins.changesOf(id);
  const shown = (changes ?? []).filter(({ before, after }) => before !== undefined || after !== undefined);
  // Settings and packages have no text to lie beside each other.
  const others = needsConsent?.changedFiles.filter((path) => shown.every((each) => each.path !== path)) ?? [];
  if (others.length > 0) {
    const text = vscode.l10n.t('Changed since you enabled {0}: {1}', id, shownNames(others));
    const lost = vscode.l10n.t('The version you enabled is no longer stored.');
    const message = changes === undefined ? `${text}. ${lost}` : text;
    void vscode.window.showInformationMessage(notificationText(message));
  }
  if (shown.length === 0) return;
  const sides = shown.map(({ path, before, after }) => {
    const file = vscode.Uri.file(join(rootDir, path));
    const agreed = file.with({ scheme, query: id });
    return [file, before === undefined ? undefined : agreed, after === undefined ? undefined : file];
  });
  const title = vscode.l10n.t('{0}: as you enabled it ↔ now', inertLine(shownName(plugin), 60));
  await vscode.commands.executeCommand('vscode.changes', title, sides);
}
