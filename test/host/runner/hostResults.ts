/** What the suite inside the extension host leaves in the file that PINCER_HOST_RESULTS names. */
export interface HostResults {
  readonly tests: readonly HostTest[];
}

export interface HostTest {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly durationMs: number;
  /** Why it failed. */
  readonly message?: string;
}

/** The environment variable that names the file. */
export const resultsVariable = 'PINCER_HOST_RESULTS';
