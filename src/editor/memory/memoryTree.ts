import * as vscode from 'vscode';
import { setContextKey } from '../setContextKey.ts';
import type { Disposable } from '../../base/disposable.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Memory } from '../../memory/memory.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { namedRow } from '../namedRow.ts';
import { createRefresher } from '../trees/createRefresher.ts';
import {
  childRows,
  digestOf,
  planMemoryRows,
  type FileRow,
  type MemoryRow,
  type MemorySnapshot,
} from './memoryRows.ts';

export interface MemoryTree extends Disposable {
  /** The file whose row is selected. */
  selectedFile(): FileRow | undefined;
}

/** How often the view looks at a memory that changes, and how often at all of its files while it works. Milliseconds. */
const refreshMs = 500;
const filesWhileWorkingMs = 5_000;

/** What the view shows; without a snapshot where the memory could not be asked. */
interface Shown {
  readonly rows: readonly MemoryRow[];
  readonly digest: string;
  readonly snapshot?: MemorySnapshot;
}

/** What is indexed, what is not and why. The memory is asked nothing until somebody looks. */
export function createMemoryTree(runtime: LazyRuntime): MemoryTree {
  const changed = new vscode.EventEmitter<MemoryRow | undefined>();
  const readMemory = createMemoryReader(runtime);
  let shown: Shown | undefined;

  const view = vscode.window.createTreeView<MemoryRow>('pincer.memory', {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      async getTreeItem(row) {
        const { toMemoryItem } = await import('../onDemand.ts');
        return namedRow(toMemoryItem(row, shown?.snapshot?.status));
      },
      async getChildren(row) {
        if (row !== undefined) return [...childRows(row)];
        shown ??= await readMemory();
        return [...shown.rows];
      },
    },
  });

  // A redrawn row swallows the click that is on its way to it: only what looks different is drawn again.
  const refresher = createRefresher(refreshMs, async () => {
    if (!view.visible || shown === undefined) return;
    const next = await readMemory(shown.snapshot);
    if (next.digest !== shown.digest) {
      shown = next;
      changed.fire(undefined);
      return;
    }
    const isSame = JSON.stringify(next.snapshot?.status) === JSON.stringify(shown.snapshot?.status);
    shown = { ...next, rows: shown.rows };
    if (isSame) return;
    for (const row of shown.rows) if (row.kind === 'state' || row.kind === 'vector') changed.fire(row);
  });
  const refresh = (): void => refresher.request();

  const parts = vscode.Disposable.from(
    view,
    changed,
    refresher,
    view.onDidChangeVisibility(refresh),
    runtime.whenLoaded(({ memory, workspace }) =>
      vscode.Disposable.from(memory.onDidChange(refresh), workspace.onDidChange(refresh)),
    ),
  );
  return {
    selectedFile: () => view.selection.find((row) => row.kind === 'file'),
    dispose: () => void parts.dispose(),
  };
}

/** Asks the memory; of thousands of files only now and then while it works. `before` is what was seen last. */
function createMemoryReader(runtime: LazyRuntime): (before?: MemorySnapshot) => Promise<Shown> {
  let filesReadAt = Number.NEGATIVE_INFINITY;
  const read = async (memory: Memory, before: MemorySnapshot | undefined): Promise<MemorySnapshot> => {
    const status = await memory.status();
    const isSoon = performance.now() < filesReadAt + filesWhileWorkingMs;
    if (status.progress !== undefined && isSoon && before !== undefined)
      return { status, files: before.files };
    const files = status.isEnabled ? await memory.files() : [];
    filesReadAt = performance.now();
    return { status, files };
  };
  return async (before) => {
    const shown = await runtime
      .get()
      .then(({ memory }) => read(memory, before))
      .then(toShown, toFailure);
    const state =
      shown.snapshot?.status.isEnabled === false ? 'off' : shown.rows.length === 0 ? 'empty' : 'filled';
    setContextKey('pincer.memoryState', state);
    return shown;
  };
}

function toShown(snapshot: MemorySnapshot): Shown {
  const rows = planMemoryRows(snapshot);
  return { rows, digest: `${String(rows.length)}\n${digestOf(snapshot)}`, snapshot };
}

function toFailure(error: unknown): Shown {
  const diagnostic: Diagnostic = {
    level: 'error',
    code: error instanceof PincerError ? error.code : 'memory_failed',
    message: errorMessage(error),
    ...(error instanceof PincerError && error.hint !== undefined ? { hint: error.hint } : {}),
  };
  return { rows: [{ kind: 'problem', diagnostic }], digest: `failed: ${diagnostic.message}` };
}
