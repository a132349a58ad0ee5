import * as vscode from 'vscode';
import { approvalModes, isLooser, type ModeCeiling } from '../../approvals/decideMode.ts';
import type { Runtime } from '../../runtime/index.ts';
import { modeTexts } from './approvalTexts.ts';

/** Lets the user choose how approvals are answered. What the workspace forbids is listed, with why, and can't be chosen. */
export async function chooseMode(runtime: Pick<Runtime, 'approvals'>): Promise<void> {
  const { mode: current, ceiling } = runtime.approvals.limits();
  const picked = await pickFrom(
    approvalModes.map((mode) => {
      const { label, meaning } = modeTexts(mode);
      const isClosed = ceiling !== undefined && isLooser(mode, ceiling.mode);
      return {
        label: isClosed ? `$(lock) ${label}` : label,
        ...(mode === current ? { description: vscode.l10n.t('current') } : {}),
        detail: isClosed ? whyClosed(ceiling) : meaning,
        mode,
        isClosed,
      };
    }),
    ({ mode }) => mode === current,
  );
  if (picked === undefined || picked.mode === current) return;
  if (picked.isClosed) void vscode.window.showInformationMessage(picked.detail);
  else await runtime.approvals.setMode(picked.mode);
}

/** Opens on the one that holds now. Undefined where the user picks none. */
async function pickFrom<T extends vscode.QuickPickItem>(
  items: readonly T[],
  isCurrent: (item: T) => boolean,
): Promise<T | undefined> {
  const picker = vscode.window.createQuickPick<T>();
  picker.title = vscode.l10n.t('How are approvals answered?');
  picker.placeholder = vscode.l10n.t(
    'Requests of plugins are never allowed automatically. “Allow all” under the chat does not apply to Pincer',
  );
  picker.items = items;
  picker.activeItems = items.filter(isCurrent);
  try {
    return await new Promise<T | undefined>((resolve) => {
      picker.onDidAccept(() => resolve(picker.activeItems[0]));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

function whyClosed({ mode, because }: ModeCeiling): string {
  return because === 'untrusted'
    ? vscode.l10n.t('Not here: this window is not trusted, so you are asked.')
    : vscode.l10n.t(
        'Not here: the config of this workspace allows no more than "{0}".',
        modeTexts(mode).label,
      );
}
