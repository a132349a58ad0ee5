import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { chatViewHtml, type ChatViewTexts } from './chatViewHtml.ts';

/** Loads the page into its view. */
export function showPage(webview: vscode.Webview, extension: vscode.Uri): void {
  const scripts = vscode.Uri.joinPath(extension, 'dist', 'webview');
  webview.options = { enableScripts: true, localResourceRoots: [scripts] };
  webview.html = chatViewHtml(texts(), {
    nonce: randomBytes(16).toString('base64url'),
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(scripts, 'chat.js')).toString(),
    language: vscode.env.language,
  });
}

function texts(): ChatViewTexts {
  return {
    title: vscode.l10n.t('Chat'),
    newSession: vscode.l10n.t('New Session'),
    sessions: vscode.l10n.t('Sessions…'),
    conversation: vscode.l10n.t('Conversation'),
    empty: vscode.l10n.t(
      'Ask about this workspace, or say what to change. Pincer asks before it changes files, runs commands or reaches new hosts.',
    ),
    examples: [vscode.l10n.t('What is this project about?'), vscode.l10n.t('/help')],
    input: vscode.l10n.t('Message to Pincer'),
    idle: vscode.l10n.t('Ask Pincer. / for commands, # for files'),
    running: vscode.l10n.t('Steer the turn. Alt+Enter queues'),
    send: vscode.l10n.t('Send'),
    steer: vscode.l10n.t('Steer'),
    queue: vscode.l10n.t('Queue'),
    stop: vscode.l10n.t('Stop'),
    remove: vscode.l10n.t('Remove'),
    attached: vscode.l10n.t('Attached files'),
    offers: vscode.l10n.t('Suggestions'),
    waits: vscode.l10n.t('Waiting messages'),
    steers: vscode.l10n.t('Next step:'),
    queued: vscode.l10n.t('Next turn:'),
    model: vscode.l10n.t('Model of this session'),
    isRunning: vscode.l10n.t('running'),
    failed: vscode.l10n.t('failed'),
    stopped: vscode.l10n.t('not carried out'),
    ofAgent: vscode.l10n.t('Of an agent:'),
    sayWhy: vscode.l10n.t('Say why…'),
    whyNot: vscode.l10n.t('Why not, or what to do instead'),
  };
}
