import * as vscode from 'vscode';
import type { LiveCalls } from '../jobs/liveCalls.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { inBackground, registerCommand } from '../registerCommand.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import type { LastUsedTracker } from '../sessions/lastUsed.ts';
import type { ChatView } from './createChatView.ts';

export interface ChatViewDeps {
  readonly runtime: LazyRuntime;
  readonly last: LastUsedTracker;
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
    const { extensionUri, workspaceState } = context;
    const view = createChatView({ ...deps, runtime, extensionUri, state: workspaceState });
    context.subscriptions.push(view);
    return view;
  };
  const get = (): Promise<ChatView> =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
  return vscode.Disposable.from(
    vscode.window.registerWebviewViewProvider('pincer.chat', {
      resolveWebviewView: (shown) => inBackground(get().then((view) => view.attach(shown))),
    }),
    registerCommand('pincer.chat.readAloud', async () => {
      // Its page plays.
      await vscode.commands.executeCommand('pincer.chat.focus');
      await (await get()).readLast();
    }),
  );
}
