/**
 * The row whose selection was switched between the two looks. A redraw in between replaces the rows, and each id stays: rows are told
 * apart by their ids. Undefined where more than one was switched, or none: a key must never reach another row than the focused one.
 * Pure.
 */
export function switchedRow<Row>(
  before: readonly Row[],
  after: readonly Row[],
  idOf: (row: Row) => string,
): Row | undefined {
  const without = (rows: readonly Row[], others: readonly Row[]): readonly Row[] => {
    const ids = new Set(others.map(idOf));
    return rows.filter((row) => !ids.has(idOf(row)));
  };
  const switched = [...without(after, before), ...without(before, after)];
  return switched.length === 1 ? switched[0] : undefined;
}
