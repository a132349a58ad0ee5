import * as vscode from 'vscode';
import type { AgentWrites } from '../host/agentWrites.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerMemoryCommands } from './memoryCommands.ts';
import { registerMemoryFiles } from './registerMemoryFiles.ts';
import { registerMemoryProgress } from './memoryProgress.ts';
import { registerMemorySearch } from './registerMemorySearch.ts';
import { createMemoryTree } from './memoryTree.ts';
import { registerSessionDocuments } from './sessionDocuments.ts';

/** Everything of the memory that the window shows: the view, the search, the progress, and what tells it of changed files. */
export function registerMemory(
  runtime: LazyRuntime,
  agentWrites: AgentWrites,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const tree = createMemoryTree(runtime);
  return vscode.Disposable.from(
    tree,
    registerMemoryCommands(runtime, tree),
    registerMemorySearch(runtime, log),
    registerMemoryProgress(runtime),
    registerMemoryFiles(runtime, agentWrites),
    registerSessionDocuments(runtime),
  );
}
