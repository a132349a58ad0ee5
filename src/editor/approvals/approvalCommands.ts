import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../contracts/approval.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { ApprovalTarget } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { openProposedEdits } from '../review/editReview.ts';

/** Answers from the palette, the Approvals view and the links of the chat. */
export function registerApprovalCommands(runtime: LazyRuntime): vscode.Disposable {
  const decide =
    (decision: ApprovalDecision) =>
    async (target: ApprovalTarget): Promise<void> => {
      const loaded = await runtime.get();
      const request = await findRequest(loaded, target);
      if (request !== undefined) resolveApproval(loaded, request.id, decision, 'editor');
    };
  return vscode.Disposable.from(
    registerCommand('pincer.approvals.allowOnce', decide('allow-once')),
    registerCommand('pincer.approvals.allowAlways', decide('allow-always')),
    registerCommand('pincer.approvals.deny', decide('deny')),
    registerCommand('pincer.approvals.showDiff', async (target) => {
      const request = await findRequest(await runtime.get(), target);
      if (request !== undefined) await openProposedEdits(request, { preserveFocus: false });
    }),
    registerCommand('pincer.approvals.revokeGrant', async (target) => {
      const loaded = await runtime.get();
      const grantId = target?.grantId ?? (await pickGrant(loaded));
      if (grantId !== undefined) await loaded.grants.revoke(grantId);
    }),
  );
}

async function pickGrant(runtime: Runtime): Promise<string | undefined> {
  const grants = await runtime.grants.list();
  if (grants.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing is allowed for good.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    grants.map(({ id, toolName, target, workspace }) => ({
      label: `${toolName} ${target}`,
      description: workspace,
      id,
    })),
    { placeHolder: vscode.l10n.t('Which one?') },
  );
  return picked?.id;
}

/** @throws PincerError where the request is answered already or unknown. */
export function resolveApproval(runtime: Runtime, id: string, decision: ApprovalDecision, by: string): void {
  const result = runtime.approvals.resolve(id, decision, by);
  if (!result.ok) throw result.error;
}

/** The request that is meant: the one named, the only one, or the one the user picks. */
async function findRequest(runtime: Runtime, target: ApprovalTarget): Promise<ApprovalRequest | undefined> {
  const pending = runtime.approvals.pending();
  if (target !== undefined) {
    const named = pending.find((each) => each.id === target.approvalId);
    if (named === undefined) {
      throw new PincerError(
        'approval_already_resolved',
        vscode.l10n.t('This approval was answered already.'),
      );
    }
    return named;
  }
  if (pending.length < 2) return pending[0];
  const picked = await vscode.window.showQuickPick(
    pending.map((request) => ({ label: request.title, description: request.description, request })),
    { placeHolder: vscode.l10n.t('Which request?') },
  );
  return picked?.request;
}
