import * as vscode from 'vscode';
import { createTimer } from '../../base/createTimer.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { showRendered } from '../showRendered.ts';

const scheme = 'pincer-conversation';

/** How soon an open document follows what was said. Milliseconds. */
const followMs = 300;

/** Whole conversations as documents that nobody can change: what was said, with each call folded. One that is open follows. */
export interface ConversationDocuments extends Disposable {
  show(id: string, title: string): Promise<void>;
}

export function registerConversationDocuments(runtime: LazyRuntime): ConversationDocuments {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const documents = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    async provideTextDocumentContent({ query }) {
      const { conversations }: Runtime = await runtime.get();
      return await conversations.exportMarkdown(query);
    },
  });
  const follow = createTimer(followMs, () => {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === scheme) changed.fire(uri);
  });
  const heard = runtime.whenLoaded(({ conversations, channels }) =>
    // What comes to a conversation that a person has taken over begins no turn.
    vscode.Disposable.from(conversations.onDidChange(follow.start), channels.onDidChange(follow.start)),
  );
  return {
    async show(id, title) {
      // A tab's title is the end of a path.
      const uri = vscode.Uri.from({ scheme, path: `/${title.replace(/[/\\]/gu, ' ')}.md`, query: id });
      // It may be open since an earlier turn.
      changed.fire(uri);
      await showRendered(uri);
    },
    dispose() {
      heard.dispose();
      follow.dispose();
      changed.dispose();
      documents.dispose();
    },
  };
}
