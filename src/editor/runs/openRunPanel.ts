import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { createTimer } from '../../base/createTimer.ts';
import type { RunTraces } from '../../traces/createRunTraces.ts';
import { inBackground } from '../registerCommand.ts';
import { runHtml } from './runHtml.ts';
import { readFromRunPage, type ToRunPage } from './runMessages.ts';
import { planRunView, type RunChoice } from './runView.ts';

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
