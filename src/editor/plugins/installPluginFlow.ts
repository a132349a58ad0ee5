import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { InstallOutcome } from '../../plugins/install/installPlugin.ts';
import type { InstallProposal } from '../../plugins/install/planInstall.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { notificationText } from '../notificationText.ts';
import { registeredLines } from './codeLines.ts';
import { shownNames } from './shownNames.ts';

/** Asks what to install, shows what it does, installs it after a yes and says how that went. */
export async function installPluginFlow(runtime: Pick<LazyRuntime, 'get'>): Promise<void> {
  const source = await pickSource();
  if (source === undefined) return;
  const loaded = await runtime.get();
  const outcome = await install(loaded, source.fsPath);
  if (outcome.kind === 'rolled-back') await loaded.workspace.reloadConfig();
  showOutcome(outcome);
}

async function pickSource(): Promise<vscode.Uri | undefined> {
  const folder = { label: vscode.l10n.t('$(folder) A folder'), isFolder: true };
  const archive = { label: vscode.l10n.t('$(package) A packed plugin (.tgz)'), isFolder: false };
  const picked = await vscode.window.showQuickPick([folder, archive], {
    title: vscode.l10n.t('Install a plugin'),
    placeHolder: vscode.l10n.t('Where is the plugin?'),
    ignoreFocusOut: true,
  });
  if (picked === undefined) return undefined;
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Install a plugin'),
      openLabel: vscode.l10n.t('Install'),
      canSelectFiles: !picked.isFolder,
      canSelectFolders: picked.isFolder,
      ...(picked.isFolder ? {} : { filters: { [vscode.l10n.t('Packed plugins')]: ['tgz', 'gz'] } }),
    })) ?? [];
  return uri;
}

async function install(
  runtime: Pick<Runtime, 'host' | 'workspace' | 'plugins'>,
  source: string,
): Promise<InstallOutcome> {
  const { installPlugin, createConsentStore } = await import('../../runtime/index.ts');
  const { fs, clock } = runtime.host;
  return await installPlugin(
    {
      fs,
      clock,
      surface: 'vscode',
      home: runtime.workspace.home,
      hooks: runtime.plugins.hooks,
      consents: createConsentStore(fs, runtime.workspace.home),
      others: runtime.plugins.plugins(),
      confirmDependencies,
      confirm,
      tryOut: async (id) => {
        await runtime.workspace.reloadConfig();
        return pluginOf(runtime, id)?.error;
      },
    },
    source,
  );
}

/** The one that lies where installed plugins do, else whichever has the id. */
function pluginOf(runtime: Pick<Runtime, 'plugins'>, id: string): PluginRecord | undefined {
  const same = runtime.plugins.plugins().filter((each) => each.id === id);
  return same.find(({ origin }) => origin === 'global') ?? same[0];
}

async function confirm(proposal: InstallProposal): Promise<boolean> {
  const isNew = proposal.change.kind === 'new';
  const button = isNew ? vscode.l10n.t('Install') : vscode.l10n.t('Replace');
  const name = `${proposal.name} ${proposal.version ?? ''}`.trim();
  const choice = await vscode.window.showWarningMessage(
    isNew
      ? vscode.l10n.t('Install the plugin {0}?', name)
      : vscode.l10n.t('Replace {0} {1} with {2}?', proposal.id, proposal.change.from ?? '', name),
    { modal: true, detail: proposalDetail(proposal) },
    button,
  );
  return choice === button;
}

async function confirmDependencies(id: string, names: readonly string[]): Promise<boolean> {
  const button = vscode.l10n.t('Fetch');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('The plugin {0} needs packages that it does not bring. Fetch them?', notificationText(id)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'npm install --ignore-scripts downloads them and runs none of their scripts: {0}. You are asked again before anything is installed.',
        shownNames(names),
      ),
    },
    button,
  );
  return choice === button;
}

function proposalDetail({ scan, findings, folder }: InstallProposal): string {
  const { asks } = scan;
  return [
    vscode.l10n.t('It runs with your rights, outside any sandbox, in every workspace that you trust.'),
    vscode.l10n.t('Tools: {0}', shownNames(asks.tools)),
    vscode.l10n.t('Hooks: {0}', shownNames(asks.hooks)),
    ...registeredLines(asks),
    vscode.l10n.t('Uses: {0}', shownNames(asks.reaches)),
    ...(asks.conversation ? [vscode.l10n.t('It asks to read your conversations.')] : []),
    ...findings
      .slice(0, 8)
      .map(({ severity, file, line, message }) =>
        inertLine(`${severity}: ${message} (${file}:${String(line)})`, 200),
      ),
    ...(findings.length > 8 ? [vscode.l10n.t('and {0} more findings', findings.length - 8)] : []),
    folder,
  ].join('\n');
}

function showOutcome(outcome: InstallOutcome): void {
  const info = (text: string): void => void vscode.window.showInformationMessage(notificationText(text));
  const warn = (text: string): void => void vscode.window.showWarningMessage(notificationText(text));
  switch (outcome.kind) {
    case 'installed':
      info(vscode.l10n.t('Installed {0}.', outcome.proposal.id));
      break;
    case 'unchanged':
      info(vscode.l10n.t('{0} is installed already, with exactly these files.', outcome.proposal.id));
      break;
    case 'declined':
      break;
    case 'blocked':
      warn(
        vscode.l10n.t('{0} was not installed: {1} stopped it: {2}', outcome.id, outcome.by, outcome.reason),
      );
      break;
    case 'rolled-back':
      warn(
        vscode.l10n.t(
          '{0} did not load, so the previous version was restored: {1}',
          outcome.proposal.id,
          outcome.reason,
        ),
      );
  }
}
