import * as vscode from 'vscode';
import { modeTexts } from './approvals/approvalTexts.ts';
import type { LazyRuntime } from './lazyRuntime.ts';
import type { Runtime } from '../runtime/index.ts';

/** One item: Pincer is there, works, has problems, or waits for an answer, and how approvals are answered where that is not by asking. A click opens the status menu. */
export function registerStatusBar(runtime: LazyRuntime): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('pincer.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Pincer';
  item.command = 'pincer.status.show';
  const show = (loaded: Runtime | undefined): void => {
    const state = loaded === undefined ? idle() : withMode(loaded, stateOf(loaded));
    item.text = state.text;
    item.tooltip = state.tooltip;
    item.accessibilityInformation = { label: state.tooltip };
    item.backgroundColor = state.isUrgent
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
  };
  show(undefined);
  item.show();
  const attached = runtime.whenLoaded((loaded) => {
    const refresh = (): void => show(loaded);
    refresh();
    return vscode.Disposable.from(loaded.approvals.onDidChange(refresh), loaded.onDidChange(refresh));
  });
  return vscode.Disposable.from(item, attached);
}

interface State {
  readonly text: string;
  readonly tooltip: string;
  readonly isUrgent?: boolean;
}

/** Somebody who comes back to a window that asks nothing must see that. */
function withMode({ approvals }: Runtime, state: State): State {
  const { mode } = approvals.limits();
  if (mode === 'ask') return state;
  const { label, meaning } = modeTexts(mode);
  return {
    ...state,
    text: `${state.text} $(shield) ${label}`,
    tooltip: `${state.tooltip}\n${label}: ${meaning}`,
  };
}

function stateOf(runtime: Runtime): State {
  const waiting = runtime.approvals.pending().length;
  if (waiting > 0) {
    const text = `$(bell-dot) Pincer: ${vscode.l10n.t('{0} to approve', waiting)}`;
    return { text, tooltip: vscode.l10n.t('Pincer waits for your answer'), isUrgent: true };
  }
  if (runtime.runningTurns() > 0)
    return { text: '$(sync~spin) Pincer', tooltip: vscode.l10n.t('Pincer is working') };
  const errors = runtime.diagnostics().filter((each) => each.level === 'error').length;
  if (errors > 0)
    return { text: '$(warning) Pincer', tooltip: vscode.l10n.t('Pincer: {0} problems', errors) };
  return idle();
}

function idle(): State {
  return { text: '$(comment-discussion) Pincer', tooltip: vscode.l10n.t('Pincer: show status') };
}
