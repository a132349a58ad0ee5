import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import type { LastUsedKeeper } from './lastUsed.ts';
import { registerSessionCommands } from './sessionCommands.ts';
import { createSessionsTree } from './sessionsTree.ts';
import { registerSummaryDocuments } from './summaryDocuments.ts';

/** The Sessions view, what can be done with a session, and the documents that show the summaries of long ones. */
export function registerSessions(runtime: LazyRuntime, last: LastUsedKeeper): vscode.Disposable {
  const tree = createSessionsTree(runtime);
  return vscode.Disposable.from(
    tree,
    registerSessionCommands(runtime, tree, last),
    registerSummaryDocuments(runtime),
  );
}
