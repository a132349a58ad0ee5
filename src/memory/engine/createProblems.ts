import type { Diagnostic } from '../../contracts/diagnostic.ts';

/** What is wrong now, by what it is about: a problem that is solved goes. */
export interface Problems {
  /** Undefined or an empty list: there is none any more. */
  set(about: string, problems: Diagnostic | readonly Diagnostic[] | undefined): void;
  all(): readonly Diagnostic[];
}

/** `onNew` is told of each problem once, for as long as it stays the same. */
export function createProblems(onNew: (problem: Diagnostic) => void): Problems {
  const byAbout = new Map<string, readonly Diagnostic[]>();
  return {
    set(about, problems) {
      const before = new Set(byAbout.get(about)?.map(({ message }) => message));
      const now = problems === undefined ? [] : 'code' in problems ? [problems] : problems;
      byAbout.set(about, now);
      for (const each of now) if (!before.has(each.message)) onNew(each);
    },
    all: () => [...byAbout.values()].flat(),
  };
}
