import { inertFact, inertJson, inertMessage, inertText } from './inert.ts';

/** Where a command writes: answers to `out`, everything else to `err`, so that a script can pipe the answer. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** What went wrong, as `--json` shows it. */
export interface CliProblem {
  readonly code: string;
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
  /** The file that it is about, and the line in it, 1-based. */
  readonly source?: string;
  readonly line?: number;
}

/** A value as JSON with a final newline. */
export function toJson(value: unknown): string {
  return `${inertJson(JSON.stringify(value, null, 2))}\n`;
}

/** `error: what happened` and, below, what to do. */
export function toErrorText({ message, hint }: CliProblem): string {
  const next = hint === undefined ? '' : `\n${inertMessage(hint)}`;
  return `error: ${inertMessage(message)}${next}\n`;
}

/** The same output, for a terminal: nothing that it obeys gets through. JSON is left as it is. */
export function toTerminal({ out, err }: Output): Output {
  return { out: (text) => out(inertText(text)), err: (text) => err(inertText(text)) };
}

/** Columns as wide as their longest cell; the last one is not padded. */
export function toTable(table: readonly (readonly string[])[]): string {
  const rows = table.map((row) => row.map(inertFact));
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

/** `2026-11-21 20:15`, in UTC as everywhere on disk; nothing for a time that is not known. */
export function timeText(time: number): string {
  return time === 0 ? '-' : new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
