import { dirname } from 'node:path';

export interface QuickInput {
  /** Files that were changed, relative to the project. */
  readonly changed: readonly string[];
  /** For each file of the project: the files of the project that it imports. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** Seconds that a test file took when it last ran. */
  readonly seconds: ReadonlyMap<string, number>;
  /** Seconds that may be spent. */
  readonly budget: number;
  /** Whether a test file may be chosen. */
  readonly isWanted: (file: string) => boolean;
}

export interface QuickPlan {
  /** Test files to run, nearest to a change first. */
  readonly files: readonly string[];
  /** Test files that depend on a change too, and did not fit. */
  readonly left: readonly string[];
}

/** What a test file counts for that never ran. Seconds. */
const unknownSeconds = 1;

/**
 * The test files that reach a change by their imports, the nearest first, as many as the budget allows; the first one always. A
 * changed file that nobody imports, such as the fixture of a sample, stands for the tests in the nearest folder above it. Pure.
 */
export function planQuickTests({ changed, imports, seconds, budget, isWanted }: QuickInput): QuickPlan {
  const isTest = (file: string): boolean => file.endsWith('.test.ts') && isWanted(file);
  const tests = [...imports.keys()].filter(isTest);
  const starts = changed.flatMap((file) => (imports.has(file) ? [file] : nearestTests(file, tests)));
  const reached = reach(starts, importersOf(imports)).filter(isTest);
  let spent = 0;
  const cut = reached.findIndex((file, at) => {
    spent += seconds.get(file) ?? unknownSeconds;
    return at > 0 && spent > budget;
  });
  return cut === -1
    ? { files: reached, left: [] }
    : { files: reached.slice(0, cut), left: reached.slice(cut) };
}

function nearestTests(file: string, tests: readonly string[]): readonly string[] {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
    const found = tests.filter((test) => dirname(test) === folder);
    if (found.length > 0) return found;
  }
  return [];
}

function importersOf(imports: QuickInput['imports']): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const [file, imported] of imports)
    for (const each of imported) importers.set(each, [...(importers.get(each) ?? []), file]);
  return importers;
}

/** Everything that reaches one of these files, by the number of steps. */
function reach(
  starts: readonly string[],
  importers: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const seen = new Set(starts);
  for (const file of seen) for (const each of importers.get(file) ?? []) seen.add(each);
  return [...seen];
}
