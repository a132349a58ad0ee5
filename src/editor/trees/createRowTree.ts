import * as vscode from 'vscode';
import { createTimer } from '../../base/createTimer.ts';
import type { Disposable } from '../../base/disposable.ts';
import { errorMessage } from '../../base/errors.ts';
import { namedRow } from '../namedRow.ts';
import { createRowCache, type RowShape } from './createRowCache.ts';
import { createRefresher } from './createRefresher.ts';
import { createRowOpener } from './createRowOpener.ts';

interface RowTreeSource<Row> extends RowShape<Row> {
  /** The rows at the top as they are now; called when VS Code asks first, and by `refresh`. Rejects like what it reads. */
  readonly plan: () => Promise<readonly Row[]>;
  readonly itemOf: (row: Row) => vscode.TreeItem | Promise<vscode.TreeItem>;
  /** VS Code has asked for the rows at the top, and draws them next. */
  readonly onDraw?: () => void;
  /** What an item says only when it is looked at. */
  readonly resolveTreeItem?: (item: vscode.TreeItem, row: Row) => Promise<vscode.TreeItem>;
  /** Of a view that reads anew by itself. */
  readonly reading?: Reading;
}

/** How a view keeps up with what it reads, and what stands above its rows. */
interface Reading {
  /** Why the rows could not be read, as the view says it. */
  readonly failed: (why: string) => string;
  /** What stands above the rows that were read. */
  readonly note?: () => string | undefined;
}

interface RowTree<Row> extends Disposable {
  readonly view: vscode.TreeView<Row>;
  /** Shows these rows; VS Code draws only those anew that look different. */
  show(rows: readonly Row[]): void;
  /** Something has changed: reads anew where somebody looks, else when somebody does. Only with `reading`. */
  readonly refresh: () => void;
}

/** VS Code drops word of a single row that comes while it still reads rows: then it is told once more after so many milliseconds. */
const quietMs = 400;

/** How often a view reads what changes, and how often “5 min. ago” is looked at while it shows. Milliseconds. */
const refreshMs = 300;
const clockMs = 30_000;

/** A view of rows that a click finds while others change. */
export function createRowTree<Row extends object>(
  id: string,
  { plan, itemOf, onDraw, resolveTreeItem, reading, ...shape }: RowTreeSource<Row>,
  options: Pick<vscode.TreeViewOptions<Row>, 'showCollapseAll'> = {},
): RowTree<Row> {
  const changed = new vscode.EventEmitter<Row[] | undefined>();
  const rows = createRowCache(shape);
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
  const opener = createRowOpener<Row>(id, () => view);
  const view: vscode.TreeView<Row> = vscode.window.createTreeView<Row>(id, {
    ...options,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: async (row) => opener.withoutArguments(row, namedRow(await itemOf(row))),
      ...(resolveTreeItem === undefined ? {} : { resolveTreeItem }),
      async getChildren(row) {
        if (row === undefined && !isPlanned) take((await read()) ?? []);
        askedAt = performance.now();
        if (row === undefined) onDraw?.();
        return [...(row === undefined ? rows.top() : rows.under(row))];
      },
    },
  });
  /** The rows; undefined where they can't be read, which the view says. */
  const read = async (): Promise<readonly Row[] | undefined> => {
    if (reading === undefined) return await plan();
    try {
      const planned = await plan();
      view.message = reading.note?.() ?? '';
      return planned;
    } catch (error) {
      view.message = reading.failed(errorMessage(error));
      return undefined;
    }
  };
  const refresher = createRefresher(refreshMs, async () => {
    const planned = reading === undefined || !view.visible ? undefined : await read();
    if (planned !== undefined) show(planned);
  });
  /** Nobody sees a hidden view grow old. */
  let clock: NodeJS.Timeout | undefined;
  const follow = (): void => {
    clearInterval(clock);
    if (reading === undefined || !view.visible) return;
    clock = setInterval(refresher.request, clockMs);
    refresher.request();
  };
  follow();
  const parts = vscode.Disposable.from(
    view,
    opener,
    changed,
    again,
    refresher,
    view.onDidChangeVisibility(follow),
    {
      dispose: () => clearInterval(clock),
    },
  );
  const show = (planned: readonly Row[]): void => {
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
  };
  return {
    view,
    show,
    refresh: refresher.request,
    dispose: () => void parts.dispose(),
  };
}
