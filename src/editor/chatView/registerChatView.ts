import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { QuestionVisibility } from '../approvals/createQuestionVisibility.ts';
import type { RemovedTurns } from '../chat/removedTurns.ts';
import type { LiveCalls } from '../jobs/liveCalls.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { inBackground, registerCommand } from '../registerCommand.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import type { LastUsedTracker } from '../sessions/lastUsed.ts';
import type { ChatViewPlace } from '../sessions/resumeSession.ts';
import type { ChatView } from './createChatView.ts';

interface ChatViewDeps {
  readonly runtime: LazyRuntime;
  readonly last: LastUsedTracker;
  readonly reviewOf: ReviewOf;
  readonly visibility: QuestionVisibility;
  readonly calls: Pick<LiveCalls, 'follow'>;
  readonly removed: RemovedTurns;
  readonly log: vscode.LogOutputChannel;
}

/** The Chat view of our side bar: the agent without the chat panel, which needs nobody's account. Loads when it is first shown. */
export function registerChatView(
  context: vscode.ExtensionContext,
  deps: ChatViewDeps,
): Disposable & ChatViewPlace {
  let loaded: Promise<ChatView> | undefined;
  const open = async (): Promise<ChatView> => {
    const runtime = await deps.runtime.get();
    const { createChatView } = await import('../onDemand.ts');
    const { extensionUri, workspaceState } = context;
    const view = createChatView({ ...deps, runtime, extensionUri, state: workspaceState });
    context.subscriptions.push(view);
    return view;
  };
  const get = (): Promise<ChatView> =>
    (loaded ??= open().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
  const show = async (keepsFocus = false): Promise<ChatView> => {
    await vscode.commands.executeCommand('pincer.chat.focus', { preserveFocus: keepsFocus });
    return await get();
  };
  const parts = vscode.Disposable.from(
    vscode.window.registerWebviewViewProvider('pincer.chat', {
      resolveWebviewView: (shown) => inBackground(get().then((view) => view.attach(shown))),
    }),
    registerCommand('pincer.chat.readAloud', async () => {
      // Its page plays.
      await (await show()).readLast();
    }),
    registerCommand('pincer.chat.openView', async (text) => {
      const view = await show();
      if (typeof text === 'string') view.insert(text);
    }),
  );
  return {
    openSession: async (sessionId, keepsFocus) => await (await show(keepsFocus)).openSession(sessionId),
    say: async (text) => await (await show()).say(text),
    dispose: () => void parts.dispose(),
  };
}
