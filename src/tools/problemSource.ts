/** Something that the language services of an editor found in a file. */
export interface FileProblem {
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  /** Counting from 1. */
  readonly line: number;
  readonly message: string;
  /** Who found it: `ts`, `eslint`. */
  readonly source?: string;
}

/** Where tools learn what is wrong with a file; only an editor has one. */
export interface ProblemSource {
  /** The problems of a file as it is now. Waits until they are up to date with it, but not for long; never rejects. */
  problemsOf(path: string): Promise<readonly FileProblem[]>;
}

/** The problems that are there after a change and were not before. A problem that only moved to another line is none. Pure. */
export function newProblems(
  before: readonly FileProblem[],
  after: readonly FileProblem[],
): readonly FileProblem[] {
  const known = new Map<string, number>();
  for (const problem of before) known.set(keyOf(problem), (known.get(keyOf(problem)) ?? 0) + 1);
  return after.filter((problem) => {
    const count = known.get(keyOf(problem)) ?? 0;
    known.set(keyOf(problem), count - 1);
    return count <= 0;
  });
}

function keyOf({ severity, message, source }: FileProblem): string {
  return JSON.stringify([severity, message, source]);
}
