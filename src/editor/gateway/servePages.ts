import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { inertLine } from '../../base/text.ts';
import type { PageFile, PageServer, PairingRequest } from '../../gateway/pages.ts';
import type { Runtime } from '../../runtime/index.ts';
import { createChatView, type ChatViewParts } from '../chatView/createChatView.ts';
import { chatBody, styles, texts } from '../chatView/showPage.ts';
import type { CommandId } from '../commandTable.ts';
import { notificationText } from '../notificationText.ts';
import { html } from '../webview/html.ts';

/** Serves the Chat view's page to browsers that the user lets in (docs/gateway.md, A second screen). */
export function servePages(
  runtime: Runtime,
  parts: Pick<ChatViewParts, 'last' | 'reviewOf' | 'calls' | 'extensionUri' | 'log'>,
  waiting: Map<string, () => void>,
): Disposable {
  const server: PageServer = {
    file: (path) => fileOf(path, parts.extensionUri),
    pair: (request, signal) => pair(request, signal, waiting),
    open(port) {
      const view = createChatView({ ...parts, runtime, isRemote: true, state: createMemory() });
      view.attachPage(port);
      return view;
    },
  };
  return runtime.gateway.servePages(server);
}

// Threat: what a browser calls itself would become a link that runs a command; `notificationText` takes those apart.
/**
 * Whoever allows a browser has compared what it shows with what stands here. A notification that can be closed: it goes when the browser
 * leaves, its time is over or the gateway stops.
 */
async function pair(
  { code, name }: PairingRequest,
  signal: AbortSignal,
  waiting: Map<string, () => void>,
): Promise<boolean> {
  const letIn = `command:${'pincer.gateway.letIn' satisfies CommandId}?${encodeURIComponent(JSON.stringify([code]))}`;
  const text = vscode.l10n.t(
    'A browser wants to use Pincer: it could talk to the agent and answer approvals until the gateway stops. Allow it only if it shows the code {0}. It calls itself {1}.',
    code,
    inertLine(name, 80),
  );
  const title = `${notificationText(text)} [${vscode.l10n.t('Allow Once')}](${letIn}) · ${vscode.l10n.t('Cancel denies it.')}`;
  return await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (_, token) =>
      await new Promise<boolean>((resolve) => {
        const end = (isAllowed: boolean): void => {
          waiting.delete(code);
          resolve(isAllowed && !signal.aborted);
        };
        waiting.set(code, () => end(true));
        token.onCancellationRequested(() => end(false));
        signal.addEventListener('abort', () => end(false), { once: true });
        if (signal.aborted) end(false);
      }),
  );
}

async function fileOf(path: string, extension: vscode.Uri): Promise<PageFile | undefined> {
  switch (path) {
    case '/':
      return { type: 'text/html; charset=utf-8', body: remoteHtml() };
    case '/page/style.css':
      return { type: 'text/css; charset=utf-8', body: `${themes}${styles}${coverStyles}` };
    case '/page/chat.js': {
      const file = join(extension.fsPath, 'dist', 'webview', 'remoteChat.js');
      return { type: 'text/javascript; charset=utf-8', body: await readFile(file, 'utf8') };
    }
    default:
      return undefined;
  }
}

function remoteHtml(): string {
  const compare = vscode.l10n.t('Compare this code with the one that VS Code shows, and allow it there.');
  const denied = vscode.l10n.t('This browser was not let in.');
  const gone = vscode.l10n.t('The connection is gone: the gateway has stopped, or VS Code was closed.');
  return html`<!doctype html>
    <html lang="${vscode.env.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Pincer</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/page/style.css" />
      </head>
      <body class="remote">
        <div
          id="cover"
          role="dialog"
          aria-modal="true"
          aria-labelledby="coverText"
          data-compare="${compare}"
          data-denied="${denied}"
          data-gone="${gone}"
        >
          <p id="code"></p>
          <p id="coverText" role="status">${vscode.l10n.t('Connecting…')}</p>
          <button type="button" id="again" class="primary" hidden>${vscode.l10n.t('Try Again')}</button>
        </div>
        ${chatBody({ ...texts(), examples: [vscode.l10n.t('What is this project about?')] })}
        <nav
          id="chooser"
          data-sessions="${vscode.l10n.t('Sessions')}"
          data-models="${vscode.l10n.t('Models')}"
          data-close="${vscode.l10n.t('Close')}"
          hidden
        ></nav>
        <script src="/page/chat.js"></script>
      </body>
    </html>`.html;
}

/** What of VS Code's colours the page uses, as its own light and dark themes have them. */
const themes = `
  :root { color-scheme: light dark;
    --vscode-foreground: light-dark(#3b3b3b, #cccccc); --vscode-descriptionForeground: light-dark(#5f5f5f, #a5a5a5);
    --vscode-focusBorder: light-dark(#005fb8, #4daafc); --vscode-textLink-foreground: light-dark(#005fb8, #4daafc);
    --vscode-errorForeground: light-dark(#b3261e, #f88070); --vscode-panel-border: light-dark(#d0d0d0, #454545);
    --vscode-editor-background: light-dark(#ffffff, #1f1f1f); --vscode-button-background: light-dark(#005fb8, #0069c4);
    --vscode-button-foreground: #ffffff; --vscode-button-hoverBackground: light-dark(#0258a8, #0277dd);
    --vscode-button-secondaryBackground: light-dark(#e5e5e5, #3a3a3a); --vscode-button-secondaryForeground: light-dark(#3b3b3b, #e0e0e0);
    --vscode-button-secondaryHoverBackground: light-dark(#cccccc, #4a4a4a);
    --vscode-input-background: light-dark(#ffffff, #313131); --vscode-input-foreground: light-dark(#3b3b3b, #cccccc);
    --vscode-input-border: light-dark(#8a8a8a, #6b6b6b); --vscode-input-placeholderForeground: light-dark(#6b6b6b, #a0a0a0);
    --vscode-textCodeBlock-background: light-dark(#f3f3f3, #2b2b2b); --vscode-textPreformat-foreground: light-dark(#3b3b3b, #d0d0d0);
    --vscode-editorInfo-foreground: light-dark(#005fb8, #4daafc); --vscode-editorWarning-foreground: light-dark(#895503, #cca700);
    --vscode-editorError-foreground: light-dark(#b3261e, #f88070); --vscode-progressBar-background: light-dark(#005fb8, #0078d4);
    --vscode-diffEditor-insertedLineBackground: light-dark(#dff2df, #203a24); --vscode-diffEditor-removedLineBackground: light-dark(#fbe0df, #45201f);
    --vscode-badge-background: light-dark(#e0e0e0, #4d4d4d); --vscode-badge-foreground: light-dark(#3b3b3b, #f8f8f8);
    --vscode-editor-font-family: ui-monospace, Menlo, Consolas, monospace; }
  body { font: 14px system-ui, sans-serif; background: light-dark(#f8f8f8, #181818); }
`;

const coverStyles = `
  header, main, footer { box-sizing: border-box; width: 100%; max-width: 860px; margin: 0 auto; }
  #cover { position: fixed; inset: 0; z-index: 2; padding: 20vh 20px 20px; text-align: center; background: light-dark(#f8f8f8, #181818); }
  #code { font: 600 2.4em var(--vscode-editor-font-family); letter-spacing: 0.12em; margin: 0 0 16px; }
  #chooser { position: fixed; inset: 0; z-index: 1; overflow-y: auto; padding: 20px; background: light-dark(#f8f8f8, #181818); }
  #chooser li { margin: 8px 0; overflow-wrap: anywhere; } #chooser button { text-align: left; }
  a:not([href]) { color: inherit; }
`;

/** What a page shows is remembered for as long as it is open. */
function createMemory(): vscode.Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string, fallback?: unknown): never => (values.get(key) ?? fallback) as never,
    async update(key, value) {
      await Promise.resolve(values.set(key, value));
    },
  };
}
