import * as vscode from 'vscode';
import { modeTexts } from './approvals/approvalTexts.ts';
import { escapeMarkdown, inertLine } from '../base/text.ts';
import type { LazyRuntime } from './lazyRuntime.ts';
import type { Runtime } from '../runtime/index.ts';
import { commandLink, trustedMarkdown } from './chat/trustedMarkdown.ts';
import { modelIdOf } from './models/modelIds.ts';
import type { LastUsed, LastUsedKeeper } from './sessions/lastUsed.ts';
import { planGauge, type Gauge } from './sessions/planGauge.ts';
import { useLines } from './sessions/useTexts.ts';

/**
 * One item: Pincer is there, works, has problems, or waits for an answer; how full the context of the session used last is; and how
 * approvals are answered where that is not by asking. A click opens the status menu.
 */
export function registerStatusBar(runtime: LazyRuntime, last: LastUsedKeeper): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('pincer.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Pincer';
  item.command = 'pincer.status.show';
  const show = (): void => {
    const loaded = runtime.peek();
    const state =
      loaded === undefined
        ? idle()
        : withMode(loaded, withModel(stateOf(loaded, gaugeOf(last.get())), last.get()));
    item.text = state.text;
    const canPrice = (loaded?.configuredModels().length ?? 0) > 0;
    item.tooltip = tooltipOf(state.tooltip, last.get(), canPrice);
    item.accessibilityInformation = { label: state.tooltip };
    item.backgroundColor =
      state.background === undefined ? undefined : new vscode.ThemeColor(state.background);
  };
  show();
  item.show();
  const attached = runtime.whenLoaded((loaded) => {
    show();
    return vscode.Disposable.from(loaded.approvals.onDidChange(show), loaded.onDidChange(show));
  });
  return vscode.Disposable.from(item, attached, last.onDidChange(show));
}

interface State {
  readonly text: string;
  readonly tooltip: string;
  readonly background?: 'statusBarItem.warningBackground' | 'statusBarItem.errorBackground';
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

function gaugeOf(last: LastUsed | undefined): Gauge | undefined {
  return last?.use === undefined ? undefined : planGauge(last.use.context);
}

function stateOf(runtime: Runtime, gauge: Gauge | undefined): State {
  const waiting = runtime.approvals.pending().length;
  if (waiting > 0) {
    const text = `$(bell-dot) Pincer: ${vscode.l10n.t('{0} to approve', waiting)}`;
    const tooltip = vscode.l10n.t('Pincer waits for your answer');
    return { text, tooltip, background: 'statusBarItem.warningBackground' };
  }
  return withGauge(restingState(runtime), gauge);
}

function restingState(runtime: Runtime): State {
  if (runtime.runningTurns() > 0)
    return { text: '$(sync~spin) Pincer', tooltip: vscode.l10n.t('Pincer is working') };
  const errors = runtime.diagnostics().filter((each) => each.level === 'error').length;
  if (errors > 0)
    return { text: '$(warning) Pincer', tooltip: vscode.l10n.t('Pincer: {0} problems', errors) };
  return idle();
}

/** Colours only where the user should act: nearly full. */
function withGauge(state: State, gauge: Gauge | undefined): State {
  if (gauge === undefined) return state;
  const shown = { ...state, text: `${state.text} ${gauge.text}` };
  if (gauge.level === 'full') return { ...shown, background: 'statusBarItem.errorBackground' };
  return gauge.level === 'near' ? { ...shown, background: 'statusBarItem.warningBackground' } : shown;
}

/** Which model answered last: the picker may say no more than “Auto”. */
function withModel(state: State, last: LastUsed | undefined): State {
  if (last === undefined || state.background !== undefined) return state;
  return { ...state, text: `${state.text} · ${inertLine(last.model.name, 24)}` };
}

/** The state, then the numbers of the session used last and what can be done about them. */
function tooltipOf(
  state: string,
  last: LastUsed | undefined,
  canPrice: boolean,
): string | vscode.MarkdownString {
  if (last?.use === undefined) return state;
  const { sessionId, model } = last;
  const named = [vscode.l10n.t('Model'), `${model.name} (${modelIdOf(model)})`] as const;
  const lines = [named, ...useLines(last.use)].map(([title, text]) => `${title}: ${escapeMarkdown(text)}`);
  const links = [
    commandLink(vscode.l10n.t('Compact'), 'pincer.sessions.compact', { sessionId }),
    commandLink(vscode.l10n.t('Show prompt'), 'pincer.prompt.show', { sessionId }),
    ...(canPrice && last.use.session.isCostPartial
      ? [commandLink(vscode.l10n.t('Edit price'), 'pincer.models.editPrice')]
      : []),
  ];
  const paragraphs = [...state.split('\n').map(escapeMarkdown), lines.join('  \n'), links.join(' · ')];
  return trustedMarkdown(paragraphs.join('\n\n'));
}

function idle(): State {
  return { text: '$(comment-discussion) Pincer', tooltip: vscode.l10n.t('Pincer: show status') };
}
