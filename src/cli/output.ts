/** Where a command writes: answers to `out`, everything else to `err`, so that a script can pipe the answer. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** What went wrong, as `--json` shows it. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
}

/** A value as JSON with a final newline. */
export function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** `error: what happened` and, below, what to do. */
export function toErrorText({ message, hint }: Problem): string {
  return `error: ${message}${hint === undefined ? '' : `\n${hint}`}\n`;
}

/** Columns as wide as their longest cell; the last one is not padded. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  '),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
