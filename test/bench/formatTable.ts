import { isMissed, type BenchResult, type Figure } from './bench.ts';

const header = ['bench', 'figure', 'value', 'unit', 'target', ''];
const alignedRight = new Set(['value', 'target']);

/** Every figure as one line of an aligned table; what has no target is neither ok nor missed. */
export function formatTable(results: readonly BenchResult[]): string {
  const rows = results.flatMap(({ bench, figures }) => figures.map((figure) => rowOf(bench, figure)));
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => cell(row, column).length)),
  );
  const toLine = (row: readonly string[]): string =>
    widths
      .map((width, column) => pad(cell(row, column), width, column))
      .join('  ')
      .trimEnd();
  return [toLine(header), toLine(widths.map((width) => '─'.repeat(width))), ...rows.map(toLine)].join('\n');
}

function rowOf(bench: string, figure: Figure): readonly string[] {
  const { name, value, unit, below } = figure;
  const verdict = below === undefined ? '' : isMissed(figure) ? 'missed' : 'ok';
  return [bench, name, rounded(value), unit, below === undefined ? '' : `< ${below}`, verdict];
}

/** Three digits that count, or all of the whole number. */
function rounded(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

function pad(text: string, width: number, column: number): string {
  return alignedRight.has(header[column] ?? '') ? text.padStart(width) : text.padEnd(width);
}

function cell(row: readonly string[], column: number): string {
  return row[column] ?? '';
}
