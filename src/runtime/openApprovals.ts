import type { ApprovalBroker } from '../approvals/approvalBroker.ts';
import { decideMode } from '../approvals/approvalModes.ts';
import { createApprovalBroker } from '../approvals/createApprovalBroker.ts';
import type { GrantStore } from '../approvals/createGrantStore.ts';
import type { PendingApprovals } from '../approvals/createPendingApprovals.ts';
import { userConfigPath } from '../config/configPaths.ts';
import { editConfigFile } from '../config/editConfigFile.ts';
import type { ApprovalsConfig } from '../config/sections/approvalsSection.ts';
import type { RuntimeInput } from './runtime.ts';

/** The broker of a window: its mode comes from config, command line and trust; what waits is kept in `pending`. */
export function openApprovals(parts: {
  readonly input: RuntimeInput;
  readonly grants: GrantStore;
  readonly pending: PendingApprovals;
  readonly config: () => ApprovalsConfig;
  readonly isTrusted: () => boolean;
  /** Reads the config again after it was changed. */
  readonly reloadConfig: () => Promise<void>;
}): ApprovalBroker {
  const { input, grants, pending, config, isTrusted } = parts;
  const { host, approve, canAsk, attention } = input;
  return createApprovalBroker({
    ...host,
    grants,
    limits: () => {
      const { mode: user, workspaceMode: workspace, timeoutMs, timeoutMayAllow } = config();
      const mode = decideMode({
        user,
        isTrusted: isTrusted(),
        ...(approve === undefined ? {} : { chosen: approve }),
        ...(workspace === undefined ? {} : { workspace }),
      });
      return { ...mode, canAsk, timeoutMs, timeoutMayAllow };
    },
    saveMode: async (mode) => {
      await editConfigFile(host.fs, userConfigPath(input.home), ['approvals', 'mode'], mode);
      await parts.reloadConfig();
    },
    pending,
    ...(attention === undefined ? {} : { attention }),
  });
}
