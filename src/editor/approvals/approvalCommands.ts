import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../contracts/approval.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { ApprovalTarget } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { answerWithTicks } from '../review/answerWithTicks.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import { openReview } from '../review/reviewTabs.ts';
import { chooseMode } from './setMode.ts';
import {
  activeWholeCall,
  findRequest,
  openWholeCall,
  registerWholeCalls,
  requestOfWholeCall,
} from './wholeCall.ts';

/** Answers from the palette, the Approvals view, the links of the chat and the editor of a whole call. */
export function registerApprovalCommands(runtime: LazyRuntime, reviewOf: ReviewOf): vscode.Disposable {
  const decide =
    (decision: ApprovalDecision) =>
    async (target: ApprovalTarget): Promise<void> => {
      const loaded = await runtime.get();
      const request = await findPending(loaded, target);
      if (request !== undefined) resolveApproval(reviewOf, loaded, request.id, decision, surfaceOf(target));
    };
  return vscode.Disposable.from(
    registerWholeCalls(runtime),
    registerCommand('pincer.approvals.allowOnce', decide('allow-once')),
    registerCommand('pincer.approvals.allowAlways', decide('allow-always')),
    registerCommand('pincer.approvals.deny', decide('deny')),
    registerCommand('pincer.approvals.showDiff', async (target) => {
      const request = await findPending(await runtime.get(), target);
      if (request !== undefined) await openReview(reviewOf(request), { preserveFocus: false });
    }),
    registerCommand('pincer.approvals.showCall', async (target) => {
      const loaded = await runtime.get();
      const decided = findRequest(loaded, idOf(target) ?? '');
      const request = decided ?? (await findPending(loaded, target));
      if (request !== undefined) await openWholeCall(request);
    }),
    registerCommand('pincer.approvals.revokeGrant', async (target) => {
      const loaded = await runtime.get();
      const grantId = target?.grantId ?? (await pickGrant(loaded));
      if (grantId !== undefined) await loaded.grants.revoke(grantId);
    }),
    registerCommand('pincer.approvals.setMode', async () => await chooseMode(await runtime.get())),
    registerCommand('pincer.approvals.resume', () => vscode.commands.executeCommand('pincer.turn.resume')),
    registerCommand('pincer.approvals.dismiss', async (target) => {
      if (target !== undefined)
        await (await runtime.get()).approvals.dismissInterrupted(target.interruptedId);
    }),
  );
}

/** Where the person was: a row of the view, a link of the chat, the editor of a whole call, or the palette. */
function surfaceOf(target: ApprovalTarget): string {
  if (isWholeCall(target) || (target === undefined && activeWholeCall() !== undefined)) return 'call';
  if (target === undefined) return 'palette';
  return 'kind' in target ? 'view' : 'chat button';
}

/** The editor title passes the document's address. */
function isWholeCall(target: unknown): target is vscode.Uri {
  return target instanceof vscode.Uri;
}

function idOf(target: ApprovalTarget): string | undefined {
  if (isWholeCall(target)) return requestOfWholeCall(target);
  return target === undefined ? activeWholeCall() : target.approvalId;
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
export function resolveApproval(
  reviewOf: ReviewOf,
  { approvals }: Runtime,
  id: string,
  decision: ApprovalDecision,
  by: string,
): void {
  const result = answerWithTicks(reviewOf, approvals, id, decision, by);
  if (!result.ok) throw result.error;
}

/** The request that is meant: the one named, the one whose whole call has the focus, the only one, or the one the user picks. */
async function findPending(runtime: Runtime, target: ApprovalTarget): Promise<ApprovalRequest | undefined> {
  const pending = runtime.approvals.pending();
  const id = idOf(target);
  if (id !== undefined) {
    const named = pending.find((each) => each.id === id);
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
