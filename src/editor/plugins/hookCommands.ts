import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { OperatorHookRecord } from '../../plugins/operatorHooks/operatorHookTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { HookTarget } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { canEnableHook, hasChangedHook } from './hookContext.ts';
import { revealFile } from './revealFile.ts';
import { showLoading } from './showLoading.ts';
import { notificationText } from '../notificationText.ts';
import { shownNames } from './shownNames.ts';

type Fits = (hook: OperatorHookRecord) => boolean;

const isAny: Fits = () => true;
const isOn: Fits = ({ status }) => status !== 'disabled';

/** Switch and open operator hooks, from the tree and from the palette. */
export function registerHookCommands(runtime: LazyRuntime): vscode.Disposable {
  const withHook =
    (fits: Fits, run: (hook: OperatorHookRecord, loaded: Runtime) => unknown) =>
    async (target: HookTarget): Promise<void> => {
      const loaded = await runtime.get();
      const hook = await findHook(loaded, target, fits);
      if (hook !== undefined) await run(hook, loaded);
    };
  return vscode.Disposable.from(
    registerCommand(
      'pincer.hooks.enable',
      withHook(canEnableHook, (hook, loaded) => enableHook(loaded, hook)),
    ),
    registerCommand(
      'pincer.hooks.allowChanges',
      withHook(hasChangedHook, (hook, loaded) => enableHook(loaded, hook)),
    ),
    registerCommand(
      'pincer.hooks.disable',
      withHook(isOn, (hook, loaded) => showLoading(() => loaded.plugins.setHookEnabled(hook.name, false))),
    ),
    registerCommand(
      'pincer.hooks.open',
      withHook(isAny, (hook) => vscode.window.showTextDocument(vscode.Uri.file(hook.hookFile))),
    ),
    registerCommand(
      'pincer.hooks.reveal',
      withHook(isAny, (hook) => revealFile(hook.source)),
    ),
  );
}

/** The hook that is meant: the one of the row, or the one the user picks of those that fit. */
async function findHook(
  runtime: Pick<Runtime, 'plugins'>,
  target: HookTarget,
  fits: Fits,
): Promise<OperatorHookRecord | undefined> {
  const hooks = runtime.plugins.operatorHooks.list();
  if (target !== undefined) return hooks.find((each) => each.hookFile === target.hookFile);
  const candidates = hooks.filter(fits);
  if (candidates.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no operator hook for this.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    candidates.map((hook) => ({
      // `$(name)` would show as an icon.
      label: inertLine(hook.name, 60).replaceAll('$(', '$ ('),
      description: `${hook.origin} · ${hook.status}`,
      detail: inertLine(hook.reason, 120).replaceAll('$(', '$ ('),
      hook,
    })),
    { placeHolder: vscode.l10n.t('Which operator hook?'), matchOnDescription: true },
  );
  return picked?.hook;
}

/** Switches an operator hook on, one of the workspace after the user's consent. Says why where it does not run even then. */
async function enableHook(runtime: Pick<Runtime, 'plugins'>, hook: OperatorHookRecord): Promise<void> {
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
