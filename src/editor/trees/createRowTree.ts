import * as vscode from 'vscode';
import { createTimer } from '../../base/createTimer.ts';
import type { Disposable } from '../../base/disposable.ts';
import { namedRow } from '../namedRow.ts';
import { createKeptRows, type RowShape } from './createKeptRows.ts';

export interface RowTreeSource<Row> extends RowShape<Row> {
  /** The rows at the top as they are now; called when VS Code asks first. Rejects like what it reads. */
  readonly plan: () => Promise<readonly Row[]>;
  readonly itemOf: (row: Row) => vscode.TreeItem | Promise<vscode.TreeItem>;
  /** VS Code has asked for the rows at the top, and draws them next. */
  readonly onDraw?: () => void;
  /** What an item says only when it is looked at. */
  readonly resolveTreeItem?: (item: vscode.TreeItem, row: Row) => Promise<vscode.TreeItem>;
}

export interface RowTree<Row> extends Disposable {
  readonly view: vscode.TreeView<Row>;
  /** Shows these rows; VS Code draws only those anew that look different. */
  show(rows: readonly Row[]): void;
}

/** VS Code drops word of a single row that comes while it still reads rows: then it is told once more after so many milliseconds. */
const quietMs = 400;

/** A view of rows that a click finds while others change. */
export function createRowTree<Row extends object>(
  id: string,
  { plan, itemOf, onDraw, resolveTreeItem, ...shape }: RowTreeSource<Row>,
  options: Pick<vscode.TreeViewOptions<Row>, 'showCollapseAll'> = {},
): RowTree<Row> {
  const changed = new vscode.EventEmitter<Row[] | undefined>();
  const rows = createKeptRows(shape);
  let isPlanned = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let untold = new Set<Row>();
  const take = (planned: readonly Row[]): readonly Row[] | 'all' => {
    isPlanned = true;
    return rows.take(planned);
  };
  const again = createTimer(quietMs, () => {
    const told = [...untold];
    untold = new Set();
    changed.fire(told);
  });
  const view = vscode.window.createTreeView<Row>(id, {
    ...options,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: async (row) => namedRow(await itemOf(row)),
      ...(resolveTreeItem === undefined ? {} : { resolveTreeItem }),
      async getChildren(row) {
        if (row === undefined && !isPlanned) take(await plan());
        askedAt = performance.now();
        if (row === undefined) onDraw?.();
        return [...(row === undefined ? rows.top() : rows.under(row))];
      },
    },
  });
  const parts = vscode.Disposable.from(view, changed, again);
  return {
    view,
    show(planned) {
      const stale = take(planned);
      if (stale === 'all') {
        again.stop();
        untold = new Set();
        changed.fire(undefined);
        return;
      }
      if (stale.length === 0) return;
      changed.fire([...stale]);
      if (performance.now() - askedAt > quietMs) return;
      for (const row of stale) untold.add(row);
      again.restart();
    },
    dispose: () => void parts.dispose(),
  };
}
