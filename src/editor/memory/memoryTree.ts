import * as vscode from 'vscode';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Memory } from '../../memory/memory.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { createRefresher } from './createRefresher.ts';
import { toMemoryItem } from './memoryItem.ts';
import {
  childRows,
  digestOf,
  planMemoryRows,
  type FileRow,
  type MemoryRow,
  type MemorySnapshot,
} from './memoryRows.ts';

export interface MemoryTree extends vscode.Disposable {
  /** The file whose row has the focus or is selected. */
  selectedFile(): FileRow | undefined;
}

/** How often the view looks at the memory while it changes, and how often at all files while it works. Milliseconds. */
const refreshMs = 500;
const filesWhileWorkingMs = 5_000;

/** What is indexed, what is not and why. Nothing is asked of the memory until somebody looks. */
export function createMemoryTree(runtime: LazyRuntime): MemoryTree {
  const changed = new vscode.EventEmitter<MemoryRow | undefined>();
  let shown: MemorySnapshot | undefined;
  let failure: Diagnostic | undefined;
  let rows: readonly MemoryRow[] = [];
  let filesReadAt = Number.NEGATIVE_INFINITY;

  const load = async (memory: Memory): Promise<MemorySnapshot> => {
    const status = await memory.status();
    const isWorking = status.progress !== undefined;
    if (shown !== undefined && isWorking && performance.now() < filesReadAt + filesWhileWorkingMs)
      return { status, files: shown.files };
    const files = status.isEnabled ? await memory.files() : [];
    filesReadAt = performance.now();
    return { status, files };
  };

  /** Brings the rows up to date; true where other rows are to be drawn. */
  const update = async (): Promise<boolean> => {
    const before = failure === undefined && shown !== undefined ? digestOf(shown) : failure?.message;
    try {
      shown = await load((await runtime.get()).memory);
      failure = undefined;
      rows = planMemoryRows(shown);
    } catch (error) {
      failure = toDiagnostic(error);
      rows = [{ kind: 'problem', diagnostic: failure }];
    }
    await tellWelcome(shown, rows);
    const kinds = rows.length > 0 ? rows[0]?.kind : 'none';
    return before !== `${kinds ?? ''}`;
  };

  const view = vscode.window.createTreeView<MemoryRow>('pincer.memory', {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: (row) => toMemoryItem(row, shown?.status),
      getChildren: (row) => [...(row === undefined ? rows : childRows(row))],
    },
  });
  void update;
  void refreshMs;
  void createRefresher;
  return Object.assign(vscode.Disposable.from(view, changed), { selectedFile: () => undefined });
}
