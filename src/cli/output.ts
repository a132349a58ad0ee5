import { errorMessage, PincerError } from '../base/errors.ts';

/** Where a command writes: answers to `out`, everything else to `err`, so that a script can pipe the answer. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export const processOutput: Output = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

/** A value as JSON with a final newline. */
export function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** `error: what happened` and, below, what to do. */
export function toErrorText(error: unknown): string {
  const hint = error instanceof PincerError && error.hint !== undefined ? `\n${error.hint}` : '';
  return `error: ${errorMessage(error)}${hint}\n`;
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
