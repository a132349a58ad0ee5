import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { chatBody, chatTexts, styles, type ChatViewTexts } from '../../gateway/chatPage/chatBody.ts';
import { pageHtml, type WebviewPage } from '../webview/pageHtml.ts';

/** Loads the page into its view. */
export function showPage(webview: vscode.Webview, extension: vscode.Uri): void {
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
