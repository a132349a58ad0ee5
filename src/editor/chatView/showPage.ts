import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { chatBody, chatTexts, styles, type ChatViewTexts } from '../../gateway/chatPage/chatBody.ts';
import { readFromChatPage, type FromChatPage } from '../../gateway/chatPage/chatViewMessages.ts';
import { showError } from '../registerCommand.ts';
import { pageHtml, type WebviewPage } from '../webview/pageHtml.ts';

interface ShownPage {
  /** A message of the page. Rejections are shown. */
  readonly take: (message: FromChatPage) => Promise<void>;
  /** The page is hidden, which ends it: it begins anew. */
  readonly onHidden: () => void;
  /** The view is closed. */
  readonly onClosed: () => void;
}

/** Loads the page into its view, and hears it until that is closed. */
export function showPage(
  view: vscode.WebviewView,
  extension: vscode.Uri,
  { take, onHidden, onClosed }: ShownPage,
): void {
  const { webview } = view;
  const heard = [
    webview.onDidReceiveMessage((data: unknown) => {
      const message = readFromChatPage(data);
      if (message !== undefined) take(message).catch(showError);
    }),
    view.onDidChangeVisibility(() => {
      if (!view.visible) onHidden();
    }),
  ];
  view.onDidDispose(() => {
    for (const each of heard) each.dispose();
    onHidden();
    onClosed();
  });
  // The page asks for its items as soon as it runs: not before somebody hears it.
  const scripts = vscode.Uri.joinPath(extension, 'dist', 'webview');
  webview.options = { enableScripts: true, localResourceRoots: [scripts] };
  webview.html = chatViewHtml(chatTexts(vscode.l10n), {
    nonce: randomBytes(16).toString('base64url'),
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(scripts, 'chat.js')).toString(),
    language: vscode.env.language,
  });
}

/** The page of the Chat view without its items: they come as data. Pure. */
function chatViewHtml(texts: ChatViewTexts, page: Omit<WebviewPage, 'title' | 'styles'>): string {
  return pageHtml({ ...page, title: texts.title, styles, playsAudio: true }, chatBody(texts));
}
