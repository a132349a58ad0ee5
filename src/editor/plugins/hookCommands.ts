import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { OperatorHookRecord } from '../../plugins/operatorHooks/operatorHookTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { HookTarget } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { enableHook } from './enableHook.ts';
import { canEnableHook, hasChangedHook } from './hookContext.ts';
import { revealFile } from './revealFile.ts';
import { showLoading } from './showLoading.ts';

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
  runtime: Runtime,
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
