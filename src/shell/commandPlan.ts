/** Whose syntax a command line is written in. */
export type ShellKind = 'bash' | 'zsh' | 'fish' | 'pwsh' | 'cmd';

/** One program with its arguments as they reach it: nothing in them is expanded any more. */
export interface SimpleCommand {
  /**
   * `argv[0]` is looked up on PATH, never in the workdir. Where a system has such a program only for its shell (on Windows
   * `echo` and `npm.cmd`) the whole line may go to the shell as it was written; there it means the same.
   */
  readonly argv: readonly [string, ...string[]];
  /**
   * Where error output goes; by default where error output went before. `stdout` is the place that output had before this
   * command's own redirections (in a pipeline the pipe): `2>&1 >/dev/null` is `{stderr: 'stdout', stdout: 'null'}`.
   */
  readonly stderr?: 'stdout' | 'null';
  /** `null` throws the output away, `stderr` is the place that error output had before this command's own redirections. */
  readonly stdout?: 'stderr' | 'null';
}

/** Programs whose output flows into the next one's input. They start together; the last one's exit code is the pipeline's. */
export type Pipeline = readonly [SimpleCommand, ...SimpleCommand[]];

/** A command line that was understood whole, so that it can run without a shell. */
export interface CommandPlan {
  /** The folder that all of it runs in: absolute, or below the one that the line is given. */
  readonly folder?: string;
  /** One after the other. A step that is skipped leaves the exit code as it is; the line ends with the last one there was. */
  readonly steps: readonly {
    /**
     * When this step runs: `always`, or after success or failure of the step that ran last (not of a skipped one):
     * in `a && b || c` a failing `a` skips `b` and runs `c`. The first step is `always`.
     */
    readonly when: 'always' | 'success' | 'failure';
    readonly pipeline: Pipeline;
  }[];
}

/** What the user allows and forbids; the patterns are explained at `findPatternMatch` and `findDenied`. */
export interface CommandRules {
  readonly shell: ShellKind;
  readonly allow: readonly string[];
  /** Beats `allow`. */
  readonly deny: readonly string[];
}
