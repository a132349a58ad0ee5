import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import type { LastUsedTracker } from './lastUsed.ts';
import { registerConversationDocuments } from './conversationDocuments.ts';
import type { ChatSurfaces } from './resumeSession.ts';
import { registerSessionCommands } from './sessionCommands.ts';
import { createSessionsTree } from './sessionsTree.ts';
import { registerSummaryDocuments } from './summaryDocuments.ts';

/** The Sessions view, what can be done with a session, and the documents that show whole conversations and summaries. */
export function registerSessions(
  runtime: LazyRuntime,
  last: LastUsedTracker,
  chats: ChatSurfaces,
): vscode.Disposable {
  const tree = createSessionsTree(runtime);
  const documents = registerConversationDocuments(runtime);
  return vscode.Disposable.from(
    tree,
    documents,
    registerSessionCommands(runtime, tree, { last, documents, chats }),
    registerSummaryDocuments(runtime),
  );
}
