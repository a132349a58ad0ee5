import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { showRendered } from '../showRendered.ts';

const scheme = 'pincer-conversation';

/** Whole conversations as documents that nobody can change: what was said, with each call folded. */
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
  return {
    async show(id, title) {
      // A tab's title is the end of a path.
      const uri = vscode.Uri.from({ scheme, path: `/${title.replace(/[/\\]/gu, ' ')}.md`, query: id });
      // It may be open since an earlier turn.
      changed.fire(uri);
      await showRendered(uri);
    },
    dispose() {
      changed.dispose();
      documents.dispose();
    },
  };
}
