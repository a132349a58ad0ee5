/** What the process ends with, for scripts. */
export const exitCodes = {
  ok: 0,
  /** The run or the command failed; the reason stands on standard error. */
  failed: 1,
  /** The command line or the config is wrong. */
  usage: 2,
  /** A plugin stopped the message. */
  blocked: 3,
  /** Ctrl-C. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
