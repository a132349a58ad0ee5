import { errorMessage } from '../../base/errors.ts';

/** An error of a plugin's code in terms of the plugin's own files. */
interface LocatedFailure {
  readonly message: string;
  /** Absolute path of the file it points at; absent where it points at none of the plugin. */
  readonly source?: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based; absent where only the line is known. */
  readonly column?: number;
}

/** Code runs from a copy in `codeRoot`; people know it as `rootDir`. The place is read from the message, else from the stack. Pure. */
export function locateFailure(error: unknown, codeRoot: string, rootDir: string): LocatedFailure {
  const text = errorMessage(error);
  const message = text.replaceAll(codeRoot, rootDir);
  const place = placeIn(text, codeRoot) ?? placeIn(stackOf(error), codeRoot);
  if (place === undefined) return { message };
  const { path, ...at } = place;
  return { message, source: `${rootDir}${path.slice(codeRoot.length)}`, ...at };
}

function stackOf(error: unknown): string {
  try {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    return typeof stack === 'string' ? stack : '';
  } catch {
    // A proxy whose traps throw, or a stack that does.
    return '';
  }
}

function placeIn(
  text: string,
  codeRoot: string,
): { readonly path: string; readonly line: number; readonly column?: number } | undefined {
  // Not every mention is a place: what a missing import says of its file has no line.
  for (let start = text.indexOf(codeRoot); start >= 0; start = text.indexOf(codeRoot, start + 1)) {
    const match = /^(?<path>[^\n:]*(?::[\\/][^\n:]*)?):(?<line>\d{1,7})(?::(?<column>\d{1,7}))?/u.exec(
      text.slice(start, start + maxPlace),
    );
    const { path, line, column } = match?.groups ?? {};
    if (path !== undefined && line !== undefined)
      return { path, line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) };
  }
  return undefined;
}

const maxPlace = 5_000;
