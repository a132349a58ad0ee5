/** Whose syntax a command line is written in. */
export type ShellKind = 'bash' | 'zsh' | 'fish' | 'pwsh' | 'cmd';

/** One program with its arguments as they reach it: nothing in them is expanded any more. */
export interface SimpleCommand {
  readonly argv: readonly [string, ...string[]];
  /** Where error output goes; by default beside the output. */
  readonly stderr?: 'stdout' | 'null';
  /** `null` throws the output away. */
  readonly stdout?: 'stderr' | 'null';
}

/** Programs whose output flows into the next one's input. */
export type Pipeline = readonly [SimpleCommand, ...SimpleCommand[]];

/** A command line that was understood whole, so that it can run without a shell. */
export interface CommandPlan {
  readonly steps: readonly {
    /** When this step runs: always, after success, or after failure of the one before. */
    readonly when: 'always' | 'success' | 'failure';
    readonly pipeline: Pipeline;
  }[];
}

/** What the user allows and forbids, in `allow list` patterns: words, `*` for one word, a last `**` for any more words. */
export interface CommandRules {
  readonly shell: ShellKind;
  readonly allow: readonly string[];
  /** Beats `allow`. */
  readonly deny: readonly string[];
}

export interface CommandDecision {
  readonly verdict: 'allowed' | 'ask' | 'denied';
  /** One short sentence. */
  readonly reason: string;
  /** There where the grammar read the whole line: then it runs without a shell. */
  readonly plan?: CommandPlan;
  /** What an "always" would cover: an allow-list pattern that matches exactly this command. */
  readonly pattern?: string;
}
