/** What a tree knows of its rows, so that only those that look different are drawn anew. */
export interface RowShape<Row> {
  /** Tells a row from its siblings, and stays when it is planned again. */
  readonly keyOf: (row: Row) => string;
  readonly childrenOf: (row: Row) => readonly Row[];
  /** Changes exactly when the row, or a row below it that has no look of its own, would look different. */
  readonly lookOf: (row: Row) => string;
}

export interface RowCache<Row> {
  /** Takes the rows as they are planned now, and gives those that VS Code must draw anew, each with what is below; or `all`. */
  take(planned: readonly Row[]): readonly Row[] | 'all';
  top(): readonly Row[];
  under(row: Row): readonly Row[];
}

interface CachedRow<Row> {
  readonly row: Row;
  look: string;
  children: readonly Row[];
}

/**
 * Rows that stay the same objects while what they say changes. VS Code knows a row by its object, and when the whole tree is to be
 * drawn anew it forgets all of them until it has asked again: a click that arrives meanwhile reaches its command without the row.
 */
export function createRowCache<Row extends object>({
  keyOf,
  childrenOf,
  lookOf,
}: RowShape<Row>): RowCache<Row> {
  let byPath = new Map<string, CachedRow<Row>>();
  let byRow = new WeakMap<Row, CachedRow<Row>>();
  let top: readonly Row[] | undefined;

  const isSameList = (before: readonly Row[], after: readonly Row[]): boolean =>
    before.length === after.length && before.every((row, index) => row === after[index]);

  return {
    take(planned) {
      const next = new Map<string, CachedRow<Row>>();
      const stale: Row[] = [];
      /** Gives the kept rows; those that look different are collected, but not below one that is drawn anew as it is. */
      const keep = (rows: readonly Row[], parent: string, isDrawn: boolean): readonly Row[] =>
        rows.map((row) => {
          const path = freePath(`${parent}/${keyOf(row)}`, next);
          const known = byPath.get(path);
          const look = lookOf(row);
          const kept: CachedRow<Row> =
            known === undefined ? { row: { ...row }, look, children: [] } : fill(known, row);
          next.set(path, kept);
          const isOther = known?.look !== look;
          const before = kept.children;
          const at = stale.length;
          kept.look = look;
          kept.children = keep(childrenOf(row), path, isDrawn || isOther);
          if (!isDrawn && (isOther || !isSameList(before, kept.children))) {
            stale.length = at;
            stale.push(kept.row);
          }
          return kept.row;
        });
      const before = top;
      top = keep(planned, '', false);
      byPath = next;
      byRow = new WeakMap([...next.values()].map((kept) => [kept.row, kept]));
      return before !== undefined && isSameList(before, top) ? stale : 'all';
    },
    top: () => top ?? [],
    under: (row) => byRow.get(row)?.children ?? [],
  };
}

/** Two siblings may have one key; the second then has a path of its own. */
function freePath(path: string, taken: ReadonlyMap<string, unknown>): string {
  let free = path;
  for (let count = 2; taken.has(free); count += 1) free = `${path}#${count}`;
  return free;
}

/** The row with what it says now. */
function fill<Row extends object>(kept: CachedRow<Row>, row: Row): CachedRow<Row> {
  for (const key of Object.keys(kept.row)) if (!(key in row)) Reflect.deleteProperty(kept.row, key);
  Object.assign(kept.row, row);
  return kept;
}
