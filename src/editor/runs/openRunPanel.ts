import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { createTimer } from '../../base/createTimer.ts';
import type { RunTraces } from '../../traces/createRunTraces.ts';
import { inBackground } from '../registerCommand.ts';
import { readFromRunPage, type ToRunPage } from './runMessages.ts';
import { planRunView, type RunChoice } from './runView.ts';
import { html } from '../../base/html.ts';
import { pageHtml, type WebviewPage } from '../webview/pageHtml.ts';

/** VS Code's own colours in every theme. A line's kind is said by its words and symbol; colour only adds to it. */
const runStyles = `
  body { padding: 0 20px 32px; line-height: 1.45; background: var(--vscode-editor-background); }
  header {
    position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: 8px 18px; padding: 12px 0; align-items: center;
    background: var(--vscode-editor-background); border-bottom: 1px solid var(--vscode-panel-border); margin-bottom: 10px;
  }
  header span { max-width: 100%; }
  select {
    max-width: min(320px, 100%); padding: 3px 4px; font: inherit; border-radius: 2px;
    color: var(--vscode-dropdown-foreground); background: var(--vscode-dropdown-background);
    border: 1px solid var(--vscode-dropdown-border, var(--vscode-panel-border));
  }
  :focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
  ol { list-style: none; margin: 0; padding: 0; }
  li { display: flex; gap: 10px; padding: 3px 6px; border-left: 2px solid transparent; }
  .depth1 .symbol { margin-left: 22px; }
  .at { flex: 0 0 64px; text-align: right; white-space: nowrap; color: var(--vscode-descriptionForeground); font-variant-numeric: tabular-nums; }
  .symbol { flex: 0 0 18px; text-align: center; }
  .body { min-width: 0; overflow-wrap: anywhere; }
  .detail { color: var(--vscode-descriptionForeground); font-family: var(--vscode-editor-font-family); font-size: 0.95em; white-space: pre-wrap; }
  .quiet, .policy { color: var(--vscode-descriptionForeground); }
  .hide-quiet .quiet { display: none; }
  .tool.depth0 .title, .model .title, .message .title, .end .title { font-weight: 600; }
  .change { border-left-color: var(--vscode-editorInfo-foreground); }
  .change .symbol { color: var(--vscode-editorInfo-foreground); }
  .ask, .decision { border-left-color: var(--vscode-editorWarning-foreground); }
  .ask .symbol, .decision .symbol { color: var(--vscode-editorWarning-foreground); }
  .block, .error { border-left-color: var(--vscode-editorError-foreground); }
  .block .title, .block .symbol, .error .title, .error .symbol { color: var(--vscode-errorForeground); font-weight: 600; }
  [hidden] { display: none !important; }
`;

/** How often a run that goes on is drawn. Milliseconds. */
const liveMs = 400;

/** A panel with the runs of the window, which follows the one that goes on. */
export function openRunPanel(
  extension: vscode.Uri,
  traces: RunTraces,
  first: RunChoice,
): { readonly panel: vscode.WebviewPanel; readonly choose: (choice: RunChoice) => void } {
  const scripts = vscode.Uri.joinPath(extension, 'dist', 'webview');
  const title = vscode.l10n.t('Last Run');
  const panel = vscode.window.createWebviewPanel('pincer.lastRun', title, vscode.ViewColumn.Active, {
    enableScripts: true,
    localResourceRoots: [scripts],
  });
  panel.iconPath = new vscode.ThemeIcon('history');
  const { webview } = panel;
  let choice = first;
  let isClosed = false;
  const formatTime = (time: number): string => new Date(time).toLocaleTimeString(vscode.env.language);
  const show = async (): Promise<void> => {
    timer.stop();
    const view = planRunView(await traces.list(), choice, formatTime);
    // A closed panel refuses to be asked whether it shows.
    if (isClosed || !panel.visible) return;
    await webview.postMessage({ type: 'show', view } satisfies ToRunPage);
    // Steps of a run that goes on are no event of their own.
    if (view.status === 'running') timer.start();
  };
  const refresh = (): void => inBackground(show());
  const timer = createTimer(liveMs, refresh);
  const listeners = [
    traces.onDidChange(refresh),
    panel.onDidChangeViewState(refresh),
    webview.onDidReceiveMessage((data: unknown) => {
      const message = readFromRunPage(data);
      if (message === undefined) return;
      choice = message.choice;
      refresh();
    }),
  ];
  panel.onDidDispose(() => {
    isClosed = true;
    timer.dispose();
    for (const each of listeners) each.dispose();
  });
  webview.html = runHtml(texts(title), {
    nonce: randomBytes(16).toString('base64url'),
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(scripts, 'lastRun.js')).toString(),
    language: vscode.env.language,
  });
  return {
    panel,
    choose(chosen) {
      choice = chosen;
      refresh();
    },
  };
}

function texts(title: string): Parameters<typeof runHtml>[0] {
  return {
    title,
    run: vscode.l10n.t('Run'),
    newest: vscode.l10n.t('The newest'),
    plugin: vscode.l10n.t('Plugin'),
    all: vscode.l10n.t('All'),
    hideQuiet: vscode.l10n.t('Hide steps without changes'),
    empty: vscode.l10n.t('Nothing has run in this workspace yet. Ask Pincer something in the chat.'),
  };
}

/** The words of the page, in the user's language. */
interface RunTexts {
  readonly title: string;
  readonly run: string;
  readonly newest: string;
  readonly plugin: string;
  readonly all: string;
  readonly hideQuiet: string;
  readonly empty: string;
}

/** The page of the last run, without its lines: they come as data. Pure. */
function runHtml(texts: RunTexts, page: Omit<WebviewPage, 'title' | 'styles'>): string {
  return pageHtml(
    { ...page, title: texts.title, styles: runStyles },
    html`<header>
        <span>
          <label for="run">${texts.run}</label>
          <select id="run">
            <option value="">${texts.newest}</option>
          </select>
        </span>
        <span>
          <label for="plugin">${texts.plugin}</label>
          <select id="plugin">
            <option value="">${texts.all}</option>
          </select>
        </span>
        <span>
          <input type="checkbox" id="quiet" />
          <label for="quiet">${texts.hideQuiet}</label>
        </span>
      </header>
      <main>
        <p id="empty" hidden>${texts.empty}</p>
        <ol id="lines" aria-label="${texts.title}"></ol>
      </main>`,
  );
}
