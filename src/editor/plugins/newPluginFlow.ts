import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import { notificationText } from '../notificationText.ts';
import { inBackground } from '../registerCommand.ts';
import { currentFolders } from '../stateFolder.ts';
import { enablePlugin } from './enablePlugin.ts';

/** Asks for place, kind and id, writes the plugin, opens it and offers to enable it. */
export async function newPluginFlow(
  loaded: Pick<Runtime, 'workspace' | 'plugins' | 'host'>,
  extensionPath: string,
): Promise<void> {
  const { checkPluginId, starterTitles, writeScaffold } = await import('../../runtime/index.ts');
  const parent = await pickPlace(loaded);
  if (parent === undefined) return;
  const kind = await pickKind(starterTitles);
  if (kind === undefined) return;
  const id = await vscode.window.showInputBox({
    title: vscode.l10n.t('New plugin (3 of 3)'),
    prompt: vscode.l10n.t('Its id, also the name of its folder: lowercase letters, digits and hyphens'),
    value: `my-${kind}`,
    validateInput: (text) => checkPluginId(text.trim(), takenNames(loaded)),
    ignoreFocusOut: true,
  });
  if (id === undefined) return;
  const folder = join(parent, id.trim());
  const [entry] = await writeScaffold(
    { fs: loaded.host.fs, folder, dist: join(extensionPath, 'dist') },
    { id: id.trim(), name: id.trim(), description: '', kind },
  );
  if (entry !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(entry));
  await loaded.workspace.reloadConfig();
  const made = loaded.plugins.plugins().find((each) => each.rootDir === folder);
  // The user's own, made a moment ago: it is edited next, whatever enables it.
  if (made !== undefined) await loaded.plugins.setDeveloping(made.id, true);
  inBackground(offerEnable(loaded, folder));
}

interface FolderItem extends vscode.QuickPickItem {
  readonly folder: string;
}

/** The only workspace folder at once; else the user says for where it is. */
async function pickPlace(runtime: Pick<Runtime, 'workspace'>): Promise<string | undefined> {
  const places: FolderItem[] = [
    ...currentFolders().map((folder) => ({
      label: vscode.l10n.t('$(folder) This workspace'),
      description: join(folder, '.pincer', 'plugins'),
      detail: vscode.l10n.t('Whoever opens this folder has it, and is asked before it runs.'),
      folder: join(folder, '.pincer', 'plugins'),
    })),
    {
      label: vscode.l10n.t('$(home) Your home folder'),
      description: join(runtime.workspace.home, 'plugins'),
      detail: vscode.l10n.t('It runs in every workspace that you trust.'),
      folder: join(runtime.workspace.home, 'plugins'),
    },
  ];
  const picked = await vscode.window.showQuickPick(places, {
    title: vscode.l10n.t('New plugin (1 of 3)'),
    placeHolder: vscode.l10n.t('Where does it belong?'),
    ignoreFocusOut: true,
  });
  return picked?.folder;
}

async function pickKind<Kind extends string>(
  titles: Readonly<Record<Kind, string>>,
): Promise<Kind | undefined> {
  const kinds = Object.keys(titles) as Kind[];
  const choices = kinds.map((starter): StarterChoice<Kind> => ({ label: titles[starter], starter }));
  const picked = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('New plugin (2 of 3)'),
    placeHolder: vscode.l10n.t('Which template?'),
    ignoreFocusOut: true,
  });
  return picked?.starter;
}

interface StarterChoice<Kind> extends vscode.QuickPickItem {
  readonly starter: Kind;
}

function takenNames(runtime: Pick<Runtime, 'plugins'>): readonly string[] {
  return runtime.plugins.plugins().map(({ id }) => id);
}

/** What the user has just made himself is still asked about once: enabling is his consent. */
async function offerEnable(runtime: Pick<Runtime, 'plugins'>, folder: string): Promise<void> {
  const plugin = runtime.plugins.plugins().find((each) => each.rootDir === folder);
  if (plugin === undefined || plugin.status === 'loaded') return;
  const enable = vscode.l10n.t('Enable');
  const choice = await vscode.window.showInformationMessage(
    notificationText(
      vscode.l10n.t('The plugin {0} is ready. Once enabled, it runs as you save it.', plugin.id),
    ),
    enable,
  );
  if (choice !== enable) return;
  const now = runtime.plugins.plugins().find((each) => each.source === plugin.source);
  if (now === undefined) return;
  await enablePlugin(runtime, now);
}
