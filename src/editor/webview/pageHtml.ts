import { html, type Html } from '../../base/html.ts';

/** Where the page of a webview gets its script, and what it is called. */
export interface WebviewPage {
  readonly title: string;
  /** CSS of ours. */
  readonly styles: string;
  /** Of this page alone; nothing without it runs or is styled. */
  readonly nonce: string;
  readonly scriptUri: string;
  readonly language: string;
  /** True where it plays audio that it was handed. */
  readonly playsAudio?: boolean;
}

// Threat: pages show texts of plugins, models and files. The policy lets nothing load and nothing run but our one script.
/** A whole page around `body`. Pure. */
export function pageHtml(
  { title, styles, nonce, scriptUri, language, playsAudio = false }: WebviewPage,
  body: Html,
): string {
  const media = playsAudio ? ' media-src blob:;' : '';
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}';${media} form-action 'none'`;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${{ html: styles }}
        </style>
      </head>
      <body>
        ${body}
        <script nonce="${nonce}" src="${scriptUri}"></script>
      </body>
    </html>`.html;
}
