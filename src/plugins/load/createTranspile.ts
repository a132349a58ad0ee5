import { extname } from 'node:path';
import type { Jiti } from 'jiti';
import { keepGlobals, keepOwnRequire } from './babelPlugins.ts';
import type { TranspileCache, TranspileInput } from './createTranspileCache.ts';

/** TypeScript and ES modules as CommonJS, line by line where they were; or what is wrong, as `line:column text`. */
export type Transpile = (
  input: TranspileInput,
) =>
  { readonly code: string; readonly problem?: never } | { readonly code?: never; readonly problem: string };

const problemMark = 'exports.__JITI_ERROR__ = ';

/** What the code is made by, for a cache: to be changed with whatever is asked of jiti below. */
export const maker = 'jiti 2.7.0, settings 2';

/** Transpiles with jiti what the cache does not have. */
export function createTranspile(jiti: () => Pick<Jiti, 'transform'>, cache: TranspileCache): Transpile {
  return (input) => {
    const known = cache.read(input);
    if (known !== undefined) return { code: known };
    const { path, source, async } = input;
    const ending = extname(path);
    const code = jiti().transform({
      source,
      filename: path,
      ts: /^\.[cm]?tsx?$/u.test(ending),
      jsx: ending.endsWith('x'),
      async,
      babel: { plugins: /\brequire\b/u.test(source) ? [keepGlobals, keepOwnRequire] : [keepGlobals] },
    });
    if (code.startsWith(problemMark)) return { problem: problemIn(code) };
    cache.write(input, code);
    return { code };
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
