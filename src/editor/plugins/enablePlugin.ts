import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { PluginRecord, DextoListing, PluginAsks } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import { notificationText } from '../notificationText.ts';
import { codeLines, registeredLines } from './codeLines.ts';
import { shownName } from './pluginIs.ts';
import { showLoading } from './showLoading.ts';
import { shownNames } from './shownNames.ts';

/** Switches a plugin on, one of the workspace after the user's consent. Says why where it does not run even then. */
export async function enablePlugin(runtime: Pick<Runtime, 'plugins'>, plugin: PluginRecord): Promise<void> {
  if (!(await confirmConsent(plugin))) return;
  await showLoading(() => runtime.plugins.setEnabled(plugin.id, true, plugin.needsConsent?.hash));
  // Two may have one id, and two of an agent file one source.
  const now = runtime.plugins
    .plugins()
    .find(({ id, source }) => id === plugin.id && source === plugin.source);
  if (now !== undefined && now.status !== 'loaded') {
    void vscode.window.showWarningMessage(
      notificationText(vscode.l10n.t('{0} does not run: {1}', plugin.id, now.reason)),
    );
  }
}

/** A workspace plugin runs with the user's rights, so enabling it says first what it asks for. */
async function confirmConsent(plugin: PluginRecord): Promise<boolean> {
  if (plugin.needsConsent === undefined) return true;
  const hasChanged = plugin.needsConsent.why === 'files-changed';
  const id = inertLine(plugin.id, 60);
  const name = shownName(plugin) === id ? id : `${shownName(plugin)} (${id})`;
  const button = hasChanged ? vscode.l10n.t('Allow') : vscode.l10n.t('Enable');
  const choice = await vscode.window.showWarningMessage(
    hasChanged
      ? vscode.l10n.t('Let the workspace plugin {0} run with its changed files?', name)
      : vscode.l10n.t('Enable the workspace plugin {0}?', name),
    { modal: true, detail: consentDetail(plugin) },
    button,
  );
  return choice === button;
}

function consentDetail(plugin: PluginRecord): string {
  const { needsConsent } = plugin;
  return [
    vscode.l10n.t('It comes with this workspace and runs with your rights, outside any sandbox.'),
    ...(plugin.dexto === undefined
      ? openClawLines(plugin.asks)
      : dextoConsentLines(plugin.asks, plugin.dexto)),
    ...(needsConsent?.why === 'files-changed'
      ? [vscode.l10n.t('Changed since you enabled it: {0}', shownNames(needsConsent.changedFiles))]
      : []),
    plugin.dexto === undefined ? plugin.rootDir : plugin.source,
  ].join('\n');
}

function openClawLines(asks: PluginRecord['asks']): readonly string[] {
  return [
    vscode.l10n.t('Tools: {0}', shownNames(asks?.tools)),
    vscode.l10n.t('Hooks: {0}', shownNames(asks?.hooks)),
    ...registeredLines(asks),
    vscode.l10n.t('Uses: {0}', shownNames(asks?.reaches)),
    ...codeLines(asks),
    ...(asks?.conversation === true ? [vscode.l10n.t('It asks to read your conversations.')] : []),
  ];
}

/** What enabling a plugin of the agent file agrees to: where it steps in, what it sees and can stop, where its data goes. */
function dextoConsentLines(
  asks: PluginAsks | undefined,
  { blocking }: Pick<DextoListing, 'blocking'>,
): readonly string[] {
  return [
    vscode.l10n.t('Extension points: {0}', shownNames(asks?.points)),
    vscode.l10n.t(
      'It sees what is said: messages, tool calls, their results and answers, and can change them.',
    ),
    blocking
      ? vscode.l10n.t('Blocking: it can also stop them. If it fails, they are stopped, too.')
      : vscode.l10n.t("Not blocking: it can't stop them, and neither does a failure."),
    vscode.l10n.t('Uses: {0}', shownNames(asks?.reaches)),
    ...codeLines(asks),
    vscode.l10n.t('Keeps data in'),
    ...(asks?.storage ?? []).map((line) => `  ${inertLine(line, 200)}`),
  ];
}
