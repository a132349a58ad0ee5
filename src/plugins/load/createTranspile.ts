import { extname } from 'node:path';
import type { Jiti } from 'jiti';

export interface TranspileInput {
  readonly path: string;
  readonly source: string;
  /** Writes imports that wait, for code that awaits outside of functions. */
  readonly async: boolean;
}

/** TypeScript and ES modules as CommonJS, line by line where they were; or what is wrong, as `line:column text`. */
export type Transpile = (
  input: TranspileInput,
) =>
  { readonly code: string; readonly problem?: never } | { readonly code?: never; readonly problem: string };

const problemMark = 'exports.__JITI_ERROR__ = ';

/** Transpiles with jiti, which keeps its results in `cacheDir`. */
export function createTranspile(jiti: () => Jiti): Transpile {
  return ({ path, source, async }) => {
    const ending = extname(path);
    const code = jiti().transform({
      source,
      filename: path,
      ts: /^\.[cm]?tsx?$/u.test(ending),
      jsx: ending.endsWith('x'),
      async,
    });
    return code.startsWith(problemMark) ? { problem: problemIn(code) } : { code };
  };
}

function problemIn(code: string): string {
  const { line, column, message } = JSON.parse(code.slice(problemMark.length)) as {
    readonly line: number;
    readonly column: number;
    readonly message: string;
  };
  return `${line}:${column + 1} ${message.trim()}`;
}
