import * as vscode from 'vscode';
import { modeTexts } from './approvals/approvalTexts.ts';
import { nextTimeLeft, timeLeft } from './approvals/timeLeft.ts';
import { escapeMarkdown, inertLine, plural } from '../base/text.ts';
import type { ModelInfo } from '../contracts/model.ts';
import { withoutIcons } from './jobs/jobStatus.ts';
import type { LazyRuntime } from './lazyRuntime.ts';
import type { Runtime } from '../runtime/index.ts';
import { commandLink, trustedMarkdown } from './chat/trustedMarkdown.ts';
import { modelIdOf } from './models/modelIds.ts';
import type { LastUsed, LastUsedTracker } from './sessions/lastUsed.ts';
import { restartText } from './gateway/restartText.ts';
import { planGauge, type Gauge } from './sessions/planGauge.ts';
import { useLines } from './sessions/useTexts.ts';

/** Under this name the default model of the last window is kept: it is shown until the runtime has loaded. */
const remembered = 'pincer.statusModel';

/**
 * One item: Pincer is there, works, has problems, or waits for an answer; which model answers, and how full the context of the session
 * used last is; how approvals are answered where that is not by asking; and that the gateway runs. A click opens the status menu.
 */
export function registerStatusBar(
  runtime: LazyRuntime,
  last: LastUsedTracker,
  memento: vscode.Memento,
): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('pincer.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Pincer';
  item.command = 'pincer.status.show';
  let ticking: NodeJS.Timeout | undefined;
  /** The hover that the item has. */
  let shown: string | undefined;
  /** Counts down what waits. The text alone changes, so that an open hover stays. */
  const tick = (loaded: Runtime | undefined): void => {
    clearTimeout(ticking);
    if (loaded === undefined || loaded.approvals.pending().length === 0) return;
    ticking = setTimeout(() => {
      item.text = stateFor(loaded, last.get(), modelOf(loaded, last.get())).text;
      tick(loaded);
    }, 1_000);
  };
  const show = (): void => {
    const loaded = runtime.peek();
    const model = modelOf(loaded, last.get()) ?? memento.get<ModelName>(remembered);
    const state = loaded === undefined ? withModel(idle(), model) : stateFor(loaded, last.get(), model);
    item.text = state.text;
    tick(loaded);
    const canPrice = (loaded?.models.configured().length ?? 0) > 0;
    const tooltip = tooltipOf(state.tooltip, model, last.get(), canPrice);
    // VS Code parses it anew each time, and this is called several times while a turn begins.
    if (tooltip.value !== shown) item.tooltip = tooltip;
    shown = tooltip.value;
    item.accessibilityInformation = { label: state.tooltip };
    item.backgroundColor =
      state.background === undefined ? undefined : new vscode.ThemeColor(state.background);
  };
  show();
  item.show();
  const attached = runtime.whenLoaded((loaded) => {
    const keep = (): void => {
      const { name, provider, model } = loaded.models.default().info;
      const known = memento.get<ModelName>(remembered);
      if (known?.name !== name || modelIdOf(known) !== modelIdOf({ provider, model }))
        void memento.update(remembered, { name, provider, model } satisfies ModelName);
      show();
    };
    keep();
    return vscode.Disposable.from(
      loaded.approvals.onDidChange(show),
      loaded.gateway.onDidChange(show),
      loaded.workspace.onDidChange(keep),
    );
  });
  return vscode.Disposable.from(item, attached, last.onDidChange(show), {
    dispose: () => clearTimeout(ticking),
  });
}

type ModelName = Pick<ModelInfo, 'name' | 'provider' | 'model'>;

/** The model of the next message: the default of the config where that chose last, or nothing did. The picker may say no more than “Auto”. */
function modelOf(loaded: Runtime | undefined, last: LastUsed | undefined): ModelName | undefined {
  return last === undefined || last.source === 'config' ? loaded?.models.default().info : last.model;
}

interface State {
  readonly text: string;
  readonly tooltip: string;
  readonly background?: 'statusBarItem.warningBackground' | 'statusBarItem.errorBackground';
  readonly isQuestion?: true;
}

function stateFor(runtime: Runtime, last: LastUsed | undefined, model: ModelName | undefined): State {
  return withGateway(runtime, withMode(runtime, withModel(stateOf(runtime, gaugeOf(last)), model)));
}

/** Somebody who comes back to a window that asks nothing must see that. */
function withMode({ approvals }: Pick<Runtime, 'approvals'>, state: State): State {
  const { mode } = approvals.limits();
  if (mode === 'ask') return state;
  const { label, meaning } = modeTexts(mode);
  return {
    ...state,
    text: `${state.text} $(shield) ${label}`,
    tooltip: `${state.tooltip}\n${label}: ${meaning}`,
  };
}

/** Other programs can reach the agent, which nothing else says once its notification is gone. */
function withGateway(
  { gateway, conversations }: Pick<Runtime, 'gateway' | 'conversations'>,
  state: State,
): State {
  const status = gateway.status();
  if (status.state !== 'running') return state;
  const lines = [
    state.tooltip,
    vscode.l10n.t('The gateway runs on {0}.', `127.0.0.1:${String(status.port)}`),
    ...(status.awaitsRestart === true ? [restartText(conversations)] : []),
  ];
  return { ...state, text: `${state.text} $(radio-tower)`, tooltip: lines.join('\n') };
}

function gaugeOf(last: LastUsed | undefined): Gauge | undefined {
  return last?.use === undefined ? undefined : planGauge(last.use.context);
}

function stateOf(
  runtime: Pick<Runtime, 'approvals' | 'turns' | 'workspace'>,
  gauge: Gauge | undefined,
): State {
  const waiting = runtime.approvals.pending().length;
  if (waiting > 0) {
    const text = `$(bell-dot) Pincer: ${waitingText(runtime, waiting)}`;
    const tooltip = [
      vscode.l10n.t('Pincer waits for your answer'),
      vscode.l10n.t(
        'The time counts only while this window has the focus. Edits with several hunks get five times as long. A time limit set by a plugin always counts.',
      ),
    ].join('\n');
    return { text, tooltip, background: 'statusBarItem.warningBackground', isQuestion: true };
  }
  return withGauge(restingState(runtime), gauge);
}

/** `1 question · 1:32`, with a sign while the time stands still. */
function waitingText({ approvals }: Pick<Runtime, 'approvals'>, waiting: number): string {
  const count = plural(waiting, vscode.l10n.t('question'), vscode.l10n.t('questions'));
  const next = nextTimeLeft(approvals);
  if (next === undefined) return count;
  return `${count} · ${next.isRunning ? '' : '$(debug-pause) '}${timeLeft(next.ms)}`;
}

function restingState(runtime: Pick<Runtime, 'turns' | 'workspace'>): State {
  if (runtime.turns.running() > 0)
    return { text: '$(sync~spin) Pincer', tooltip: vscode.l10n.t('Pincer is working') };
  const errors = runtime.workspace.diagnostics().filter((each) => each.level === 'error');
  const [first] = errors;
  if (first === undefined) return idle();
  const count = plural(errors.length, vscode.l10n.t('problem'), vscode.l10n.t('problems'));
  const tooltip = `Pincer: ${count}\n${inertLine(first.message, 200)}`;
  return { text: '$(warning) Pincer', tooltip };
}

/** Colours only where the user should act: nearly full. */
function withGauge(state: State, gauge: Gauge | undefined): State {
  if (gauge === undefined) return state;
  const shown = { ...state, text: `${state.text} ${gauge.text}` };
  if (gauge.level === 'full') return { ...shown, background: 'statusBarItem.errorBackground' };
  return gauge.level === 'near' ? { ...shown, background: 'statusBarItem.warningBackground' } : shown;
}

/** A question that waits needs the room for itself; the hover names the model always. */
function withModel(state: State, model: ModelName | undefined): State {
  if (model === undefined || state.isQuestion === true) return state;
  return { ...state, text: `${state.text} · ${withoutIcons(inertLine(model.name, 24))}` };
}

/** The state and the model, then the numbers of the session used last and what can be done about them. */
function tooltipOf(
  state: string,
  model: ModelName | undefined,
  last: LastUsed | undefined,
  canPrice: boolean,
): vscode.MarkdownString {
  const title = last === undefined ? vscode.l10n.t('Default model') : vscode.l10n.t('Model');
  const named = model === undefined ? [] : [[title, `${model.name} (${modelIdOf(model)})`] as const];
  const used = last?.use === undefined ? [] : useLines(last.use);
  const lines = [...named, ...used].map(([name, text]) => `${name}: ${escapeMarkdown(inertLine(text, 300))}`);
  const links = [
    commandLink(vscode.l10n.t('Open Chat'), 'pincer.chat.open'),
    ...(last?.use === undefined ? [] : linksOf(last.sessionId)),
    ...(canPrice && last?.use?.session.isCostPartial === true
      ? [commandLink(vscode.l10n.t('Edit price'), 'pincer.models.editPrice')]
      : []),
  ];
  const paragraphs = [...state.split('\n').map(escapeMarkdown), lines.join('  \n'), links.join(' · ')];
  return trustedMarkdown(paragraphs.filter((each) => each !== '').join('\n\n'));
}

function linksOf(sessionId: string): readonly string[] {
  return [
    commandLink(vscode.l10n.t('Compact'), 'pincer.sessions.compact', { sessionId }),
    commandLink(vscode.l10n.t('Show prompt'), 'pincer.prompt.show', { sessionId }),
  ];
}

function idle(): State {
  return { text: '$(comment-discussion) Pincer', tooltip: vscode.l10n.t('Pincer: show status') };
}
