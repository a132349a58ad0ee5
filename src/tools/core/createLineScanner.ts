// Threat: a model's regular expression runs on the thread of the editor's extensions, and some take exponential time.
// Looking for such expressions beforehand misses some and refuses harmless ones; so each run gets a time limit that the
// engine itself enforces, in a context of its own.
import { createContext, Script } from 'node:vm';
import { errorMessage, PincerError } from '../../base/errors.ts';

export interface LinePattern {
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
}

/** A hit: index of the line and of the character in it. */
type LineHit = readonly [line: number, at: number];

/** Hits in the order of the lines. @throws PincerError `grep_pattern_slow` */
export type LineScanner = (lines: readonly string[]) => Promise<readonly LineHit[]>;

/** Lines of one run, after which other work gets its turn, and the limit: far above what a busy machine needs for so many. */
const linesPerRun = 5_000;
const runTimeoutMs = 500;

/** @throws PincerError `grep_pattern_invalid` */
export function createLineScanner({ pattern, literal, ignoreCase }: LinePattern): LineScanner {
  const source = literal ? pattern.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&') : pattern;
  const expression = compile(source, ignoreCase ? 'i' : '', pattern);
  const context = createContext({ source, flags: expression.flags, lines: [] as readonly string[] });
  const run = new Script(`
    expression ??= new RegExp(source, flags);
    lines.flatMap((line, index) => { const at = line.search(expression); return at === -1 ? [] : [[index, at]]; });
  `);
  new Script('var expression;').runInContext(context);
  return async (lines) => {
    const hits: LineHit[] = [];
    for (let start = 0; start < lines.length; start += linesPerRun) {
      context['lines'] = lines.slice(start, start + linesPerRun);
      for (const [line, at] of runLimited(run, context, pattern)) hits.push([start + line, at]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return hits;
  };
}

/** Models write escapes that the strict mode of expressions refuses, such as `\-`; these are read the lenient way. */
function compile(source: string, flags: string, pattern: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    try {
      return new RegExp(source, flags);
    } catch (error) {
      throw new PincerError(
        'grep_pattern_invalid',
        `"${pattern}" can't be searched: ${errorMessage(error)}.`,
        {
          hint: 'Escape special characters with a backslash, or set literal to true.',
        },
      );
    }
  }
}

function runLimited(run: Script, context: object, pattern: string): readonly LineHit[] {
  try {
    return run.runInContext(context, { timeout: runTimeoutMs }) as readonly LineHit[];
  } catch (error) {
    throw new PincerError(
      'grep_pattern_slow',
      `The search for "${pattern}" was stopped: it takes too long on one file.`,
      {
        hint: 'Avoid nested repetitions such as (a+)+, or set literal to true.',
        cause: error,
      },
    );
  }
}
