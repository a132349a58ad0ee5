import { html } from '../../base/html.ts';
import type { PageFile } from '../pages.ts';
import { chatBody, chatTexts, styles, type ChatViewTexts } from './chatBody.ts';

interface RemotePage {
  /** The folder of the built program. Absolute. */
  readonly dist: string;
  /** BCP 47 */
  readonly language: string;
  readonly l10n: { t(text: string): string };
  /** Words in place of the usual ones. */
  readonly texts?: Partial<ChatViewTexts>;
  readonly readText: (file: string) => Promise<string>;
}

/** A file of the page that a browser is served; undefined where there is none. */
export async function remoteFile(path: string, page: RemotePage): Promise<PageFile | undefined> {
  switch (path) {
    case '/':
      return { type: 'text/html; charset=utf-8', body: remoteHtml(page) };
    case '/page/style.css':
      return { type: 'text/css; charset=utf-8', body: `${themes}${styles}${coverStyles}` };
    case '/page/chat.js':
      return {
        type: 'text/javascript; charset=utf-8',
        body: await page.readText(`${page.dist}/webview/remoteChat.js`),
      };
    case '/page/colourCode.js':
      return {
        type: 'text/javascript; charset=utf-8',
        body: await page.readText(`${page.dist}/webview/colourCode.js`),
      };
    default:
      return undefined;
  }
}

function remoteHtml({ language, l10n, texts }: RemotePage): string {
  const compare = l10n.t('Compare this code with the one that VS Code shows, and allow it there.');
  const denied = l10n.t('This browser was not let in.');
  const soon = l10n.t(
    'Another browser waits, or one was just denied. This one asks by itself as soon as it may.',
  );
  const gone = l10n.t(
    'The connection is gone: the gateway has stopped, VS Code was closed, or this browser has lost its access.',
  );
  return html`<!doctype html>
    <html lang="${language}">
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
          data-soon="${soon}"
          data-gone="${gone}"
        >
          <p id="name">Pincer</p>
          <p id="code"></p>
          <p id="coverText" role="status">${l10n.t('Connecting…')}</p>
          <button type="button" id="again" class="primary" hidden>${l10n.t('Try Again')}</button>
        </div>
        ${chatBody({ ...chatTexts(l10n), examples: [l10n.t('What does this project do?')], ...texts })}
        <nav
          id="chooser"
          data-sessions="${l10n.t('Sessions')}"
          data-models="${l10n.t('Models')}"
          data-close="${l10n.t('Close')}"
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
    --vscode-debugTokenExpression-boolean: light-dark(#0000ff, #569cd6); --vscode-debugTokenExpression-string: light-dark(#a31515, #ce9178);
    --vscode-debugTokenExpression-number: light-dark(#098658, #b5cea8); --vscode-debugTokenExpression-name: light-dark(#8a3aa0, #c586c0);
    --vscode-badge-background: light-dark(#e0e0e0, #4d4d4d); --vscode-badge-foreground: light-dark(#3b3b3b, #f8f8f8);
    --vscode-editor-font-family: ui-monospace, Menlo, Consolas, monospace; }
  body { font: 14px system-ui, sans-serif; background: light-dark(#f8f8f8, #181818); }
`;

const coverStyles = `
  header, main, footer { box-sizing: border-box; width: 100%; max-width: 860px; margin: 0 auto; }
  #cover { position: fixed; inset: 0; z-index: 2; padding: 20vh 20px 20px; text-align: center; background: light-dark(#f8f8f8, #181818); }
  #name { font-weight: 600; margin: 0 0 24px; }
  #code { font: 600 2.4em var(--vscode-editor-font-family); letter-spacing: 0.12em; margin: 0 0 16px; }
  #chooser { position: fixed; inset: 0; z-index: 1; overflow-y: auto; padding: 20px; background: light-dark(#f8f8f8, #181818); }
  #chooser li { margin: 8px 0; overflow-wrap: anywhere; } #chooser button { text-align: left; }
  #chooser .about { font-size: 0.85em; color: var(--vscode-descriptionForeground); }
  a:not([href]) { color: inherit; }
`;
