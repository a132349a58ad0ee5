import { z } from 'zod';
import { approvalModes, type ConfiguredApprovalMode } from './approvalModes.ts';
import { isLooser, keysWhere, stricterOf, type ConfigSection } from './section.ts';

export const approvalsSchema = z.strictObject({
  mode: z
    .enum(approvalModes)
    .optional()
    .describe(
      'deny: calls that need approval are denied. allowlist: only remembered approvals count, nobody is asked. ask: a person decides. ' +
        'auto: edits in the workspace and reads from the web are approved, the rest asks. full: only protected paths and plugins ' +
        'ask. Default ask.',
    ),
  timeoutMs: z
    .int()
    .positive()
    .max(600_000)
    .optional()
    .describe('Timeout of an approval, in milliseconds; after it, the call is denied. Default 120000.'),
  timeoutMayAllow: z
    .boolean()
    .optional()
    .describe('True lets a plugin treat its own unanswered approval as allowed.'),
});

/** How long a question waits for which nobody says another time. */
export const defaultApprovalMs = 120_000;

export interface ApprovalsConfig {
  readonly mode: ConfiguredApprovalMode;
  /** The strictest that a workspace's file says: a mode chosen on the command line or in the window can't be looser. */
  readonly workspaceMode?: ConfiguredApprovalMode;
  /** Undefined where nobody wrote one: the host's questions then have `defaultApprovalMs`, and a plugin's its own time. */
  readonly timeoutMs: number | undefined;
  readonly timeoutMayAllow: boolean;
}

export const approvalsSection: ConfigSection<z.infer<typeof approvalsSchema>, ApprovalsConfig> = {
  resolve: (input) => ({
    mode: input?.mode ?? 'ask',
    timeoutMs: input?.timeoutMs,
    timeoutMayAllow: input?.timeoutMayAllow ?? false,
  }),
  tighten: (holds, input) => ({
    ...holds,
    ...(input.mode === undefined
      ? {}
      : { workspaceMode: stricterOf(approvalModes, holds.workspaceMode ?? 'full', input.mode) }),
    mode: stricterOf(approvalModes, holds.mode, input.mode),
    timeoutMs:
      input.timeoutMs !== undefined && input.timeoutMs < (holds.timeoutMs ?? defaultApprovalMs)
        ? input.timeoutMs
        : holds.timeoutMs,
    timeoutMayAllow: holds.timeoutMayAllow && input.timeoutMayAllow !== false,
  }),
  ignored: (input, holds) =>
    keysWhere({
      'approvals.mode': isLooser(approvalModes, holds.mode, input.mode),
      'approvals.timeoutMayAllow': input.timeoutMayAllow === true,
    }),
};
