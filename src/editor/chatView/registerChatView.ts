import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { LiveCalls } from '../jobs/liveCalls.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { showError } from '../registerCommand.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import type { LastUsedKeeper } from '../sessions/lastUsed.ts';
import { chatViewHtml, type ChatViewTexts } from './chatViewHtml.ts';
import type { ChatView } from './createChatView.ts';

export interface ChatViewDeps {
  readonly runtime: LazyRuntime;
  readonly last: LastUsedKeeper;
  readonly reviewOf: ReviewOf;
  readonly calls: Pick<LiveCalls, 'follow'>;
  readonly log: vscode.LogOutputChannel;
}

/** The Chat view of our side bar: the agent without the chat panel, which needs nobody's account. Loads when it is first shown. */
export function registerChatView(context: vscode.ExtensionContext, deps: ChatViewDeps): vscode.Disposable {
  let opened: Promise<ChatView> | undefined;
  const open = async (): Promise<ChatView> => {
    const runtime = await deps.runtime.get();
    const { createChatView } = await import('../onDemand.ts');
    const view = createChatView({ ...deps, runtime, state: context.workspaceState });
    context.subscriptions.push(view);
    return view;
  };
  return vscode.window.registerWebviewViewProvider('pincer.chat', {
    resolveWebviewView(shown) {
      const { webview } = shown;
      const scripts = vscode.Uri.joinPath(context.extensionUri, 'dist', 'webview');
      webview.options = { enableScripts: true, localResourceRoots: [scripts] };
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      opened.then((view) => {
        view.attach(shown);
        // The page asks for its items as soon as it runs: not before somebody hears it.
        webview.html = chatViewHtml(texts(), {
          nonce: randomBytes(16).toString('base64url'),
          scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(scripts, 'chat.js')).toString(),
          language: vscode.env.language,
        });
      }, showError);
    },
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
    sayWhy: vscode.l10n.t('Say why…'),
    whyNot: vscode.l10n.t('Why not, or what to do instead'),
  };
}
