/** One hostile input with its verdict, as a case file holds it; what else it says depends on the kind. */
export interface HostileCase {
  readonly input: string;
  readonly expected: Verdict;
  readonly why: string;
  readonly class: string;
  readonly [key: string]: unknown;
}

export type Verdict = 'allow' | 'ask' | 'block';

/** Runs a case through the shipped guard. */
export type JudgeCase = (testCase: HostileCase) => Promise<Verdict>;

/** A judge that works on something it has made, such as a workspace, which `close` removes. */
export interface OpenJudge {
  readonly judge: JudgeCase;
  close(): Promise<void>;
}
