import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { OperatorHookRecord } from '../../plugins/operatorHooks/operatorHookTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import { notificationText } from '../notificationText.ts';
import { showLoading } from './showLoading.ts';
import { shownNames } from './shownNames.ts';

/** Switches an operator hook on, one of the workspace after the user's consent. Says why where it does not run even then. */
export async function enableHook(runtime: Runtime, hook: OperatorHookRecord): Promise<void> {
  const find = (): OperatorHookRecord | undefined =>
    runtime.plugins.operatorHooks.list().find((each) => each.hookFile === hook.hookFile);
  if (!(await confirmConsent(hook))) return;
  await showLoading(() => runtime.plugins.setHookEnabled(hook.name, true, hook.needsConsent?.hash));
  const asked = find();
  // One that the config had switched off waits for consent only once it is switched on there.
  if (hook.needsConsent === undefined && asked?.needsConsent !== undefined) {
    if (!(await confirmConsent(asked))) return;
    const { hash } = asked.needsConsent;
    await showLoading(() => runtime.plugins.setHookEnabled(asked.name, true, hash));
  }
  const now = find();
  if (now !== undefined && now.status !== 'loaded') {
    void vscode.window.showWarningMessage(
      notificationText(vscode.l10n.t('{0} does not run: {1}', now.name, now.reason)),
    );
  }
}

/** A workspace hook runs with the user's rights, so enabling it says first what it is. */
async function confirmConsent(hook: OperatorHookRecord): Promise<boolean> {
  if (hook.needsConsent === undefined) return true;
  const hasChanged = hook.needsConsent.why === 'files-changed';
  const name = inertLine(hook.name, 60);
  const button = hasChanged ? vscode.l10n.t('Allow') : vscode.l10n.t('Enable');
  const choice = await vscode.window.showWarningMessage(
    hasChanged
      ? vscode.l10n.t('Let the workspace hook {0} run with its changed files?', name)
      : vscode.l10n.t('Enable the workspace hook {0}?', name),
    { modal: true, detail: consentDetail(hook) },
    button,
  );
  return choice === button;
}

function consentDetail({ events, needsConsent, rootDir }: OperatorHookRecord): string {
  return [
    vscode.l10n.t('It comes with this workspace and runs with your rights, outside any sandbox.'),
    vscode.l10n.t('Runs on: {0}', shownNames(events)),
    ...(needsConsent?.why === 'files-changed'
      ? [vscode.l10n.t('Changed since you enabled it: {0}', shownNames(needsConsent.changedFiles))]
      : []),
    rootDir,
  ].join('\n');
}
