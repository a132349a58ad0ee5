/** How many tests of a layer, or of all layers, ended how. */
export interface LayerResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Failed tests by name, each with the first line of why. */
  readonly failures?: readonly string[];
  /** What went wrong outside a test. Each also counts as failed. */
  readonly problems?: readonly string[];
  /** Why there was nothing to run; then running no test is no problem. */
  readonly unavailable?: string;
}

/** The sums over several layers. */
export function sumResults(results: readonly LayerResult[]): LayerResult {
  const sum = (count: (result: LayerResult) => number): number =>
    results.reduce((total, each) => total + count(each), 0);
  return {
    passed: sum((each) => each.passed),
    failed: sum((each) => each.failed),
    skipped: sum((each) => each.skipped),
  };
}

/** `3 passed, 0 failed`, with the skipped ones where there are any. */
export function summaryLine(result: LayerResult): string {
  const skipped = result.skipped > 0 ? `, ${result.skipped} skipped` : '';
  return `${result.passed} passed, ${result.failed} failed${skipped}`;
}

/** What makes a run fail, one sentence each. Skipped tests are accepted on a developer's machine and not under CI. */
export function layerProblems(name: string, result: LayerResult, isCi: boolean): string[] {
  const problems = (result.problems ?? []).map((problem) => `${name}: ${problem}`);
  if (result.failed > 0 && problems.length === 0) problems.push(`${name}: ${result.failed} failed.`);
  problems.push(...(result.failures ?? []).map((failure) => `${name}: ${failure}`));
  if (result.passed + result.failed === 0 && result.unavailable === undefined) {
    problems.push(`${name}: no test ran.`);
  }
  if (result.unavailable !== undefined && isCi) problems.push(`${name}: ${result.unavailable}`);
  if (result.skipped > 0 && isCi)
    problems.push(`${name}: ${result.skipped} skipped, which CI does not accept.`);
  return problems;
}
