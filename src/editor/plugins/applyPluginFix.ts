import * as vscode from 'vscode';
import type { Diagnostic, DiagnosticFix } from '../../contracts/diagnostic.ts';
import type { Runtime } from '../../runtime/index.ts';
import { notificationText } from '../notificationText.ts';
import { enablePlugin } from './enablePlugin.ts';
import { openFileAt } from './openAtLine.ts';
import { showPluginChanges } from './showPluginChanges.ts';
import { fixQuestion, fixTitle } from './fixTexts.ts';

/** Carries out a remedy. What gives a plugin more than it had says so first; closing that question changes nothing. */
export async function applyPluginFix(
  runtime: Pick<Runtime, 'workspace' | 'plugins'>,
  fix: DiagnosticFix,
): Promise<void> {
  if (fix.kind === 'open-file') {
    await openFileAt(fix.path, undefined);
    return;
  }
  // What is asked about is what is there now.
  await runtime.workspace.catchUp();
  const id = 'pluginId' in fix ? fix.pluginId : undefined;
  const records = runtime.plugins.plugins().filter((each) => each.id === id);
  const plugin = records.find((each) => each.needsConsent !== undefined) ?? records[0];
  if (fix.kind === 'show-plugin-changes') {
    if (plugin !== undefined) await showPluginChanges(runtime, plugin);
    return;
  }
  if (fix.kind === 'configure-plugin') {
    await vscode.commands.executeCommand('pincer.plugins.configure', { pluginId: fix.pluginId });
    return;
  }
  if (fix.kind === 'enable-plugin' && plugin !== undefined) {
    await enablePlugin(runtime, plugin);
    return;
  }
  const question = fixQuestion(fix, plugin?.asks?.hooks ?? plugin?.hookNames ?? []);
  if (question !== undefined) {
    const { message, detail, button } = question;
    if ((await vscode.window.showWarningMessage(message, { modal: true, detail }, button)) !== button) return;
  }
  await runtime.workspace.applyFix(fix);
}

/** A problem and one thing that can be done about it. */
interface Choice extends vscode.QuickPickItem {
  readonly fix: DiagnosticFix;
}

/** Lets the user choose a remedy of these problems; the only one of the only problem is taken at once. */
export async function pickFix(diagnostics: readonly Diagnostic[]): Promise<DiagnosticFix | undefined> {
  const choices = diagnostics.flatMap((diagnostic): Choice[] =>
    (diagnostic.fixes ?? []).map((fix) => ({
      label: fixTitle(fix).replaceAll('$(', '$ ('),
      detail: notificationText(diagnostic.message),
      fix,
    })),
  );
  if (choices.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No problem has a quick fix now.'));
    return undefined;
  }
  if (diagnostics.length === 1 && choices.length === 1) return choices[0]?.fix;
  const picked = await vscode.window.showQuickPick(choices, {
    placeHolder: vscode.l10n.t('Which fix?'),
    matchOnDetail: true,
  });
  return picked?.fix;
}
