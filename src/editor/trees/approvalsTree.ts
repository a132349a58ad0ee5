import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../contracts/approval.ts';
import type { Runtime } from '../../runtime/index.ts';
import { resolveApproval } from '../approvals/resolveApproval.ts';
import { allowTogether, groupsFor } from '../approvals/allowTogether.ts';
import {
  approvalChildRows,
  approvalRowId,
  approvalRowKey,
  approvalRowLook,
  planApprovalRows,
  planWaitingKeys,
  type ApprovalRow,
  type RequestView,
} from '../approvals/approvalRows.ts';
import { countDown } from '../approvals/countDown.ts';
import { activeWholeCall } from '../approvals/wholeCall.ts';
import type { FocusedApproval } from '../commandTable.ts';
import { setContextKey } from '../setContextKey.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand, showError } from '../registerCommand.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import { ticksText } from '../review/reviewTexts.ts';
import { currentFolders } from '../stateFolder.ts';
import type { RunTrace } from '../../traces/runTrace.ts';
import { createRefresher } from './createRefresher.ts';
import { createRowTree } from './createRowTree.ts';
import { focusedRow } from './focusedRow.ts';

/** How often the view looks at answers that come one after the other. Milliseconds. */
const refreshMs = 50;

/** Requests that wait, what the last window left open, what is allowed for good, and what was decided. */
export function registerApprovalsTree(runtime: LazyRuntime, reviewOf: ReviewOf): vscode.Disposable {
  let earlier: Promise<readonly RunTrace[]> | undefined;
  const shown: RequestView = {
    isShown: (id) => runtime.peek()?.approvals.isShownWhole(id, 'view') === true,
    ticksOf: (request) => ticksText(reviewOf(request)),
  };
  const plan = async (): Promise<readonly ApprovalRow[]> => {
    const loaded = await runtime.get();
    // Read once: what is answered from now on, this window's own history has.
    earlier ??= readEarlier(loaded);
    return await rootRows(loaded, reviewOf, earlier);
  };
  const tree = createRowTree<ApprovalRow>('pincer.approvals', {
    keyOf: approvalRowKey,
    childrenOf: approvalChildRows,
    lookOf: (row) => approvalRowLook(row, shown),
    plan,
    // Rows have moved under the pointer: what it meant was what stood there before.
    onDraw: () => runtime.peek()?.approvals.noteDrawn(),
    async itemOf(row) {
      const { toApprovalItem } = await import('../onDemand.ts');
      return toApprovalItem(row, shown);
    },
  });
  const { view } = tree;
  const refresher = createRefresher(refreshMs, async () => {
    if (!view.visible) return;
    try {
      tree.show(await plan());
    } catch (error) {
      showError(error);
    }
  });
  const attached = runtime.whenLoaded((loaded) => {
    const { approvals } = loaded;
    let ticks: readonly Disposable[] = [];
    const show = (): void => {
      const together = groupsFor({ reviewOf, approvals, by: 'palette' });
      const wasShown = ({ id }: ApprovalRequest): boolean => approvals.isShownWhole(id, 'chat key');
      for (const [key, value] of planWaitingKeys(approvals.pending(), together, wasShown))
        setContextKey(key, value);
      refresher.request();
    };
    const refresh = (): void => {
      const pending = approvals.pending();
      const count = pending.length;
      view.badge =
        count === 0 ? undefined : { value: count, tooltip: vscode.l10n.t('Approvals waiting: {0}', count) };
      for (const each of ticks) each.dispose();
      ticks = pending.map((request) => reviewOf(request).onDidChange(show));
      show();
    };
    return vscode.Disposable.from(
      loaded.approvals.onDidChange(refresh),
      loaded.approvals.grants.onDidChange(refresh),
      countDown(view, loaded),
    );
  });
  return vscode.Disposable.from(
    tree,
    refresher,
    view.onDidChangeVisibility(() => refresher.request()),
    attached,
    registerKeyboard(runtime, reviewOf, view),
  );
}

/** What can't be read is told, and hides no question that waits. */
async function readEarlier({ turns }: Pick<Runtime, 'turns'>): Promise<readonly RunTrace[]> {
  try {
    return await turns.traces.list();
  } catch (error) {
    showError(error);
    return [];
  }
}

async function rootRows(
  { approvals }: Pick<Runtime, 'approvals'>,
  reviewOf: ReviewOf,
  traces: Promise<readonly RunTrace[]>,
): Promise<readonly ApprovalRow[]> {
  const [interrupted, remembered] = await Promise.all([approvals.interrupted(), approvals.grants.list()]);
  return planApprovalRows({
    pending: approvals.pending(),
    together: groupsFor({ reviewOf, approvals, by: 'view' }),
    interrupted,
    grants: remembered,
    history: approvals.history(),
    traces: await traces,
    folders: currentFolders(),
  });
}

/** The keys that answer the row, or the whole call, with the focus; a selected row may be another one. */
function registerKeyboard(
  runtime: LazyRuntime,
  reviewOf: ReviewOf,
  view: vscode.TreeView<ApprovalRow>,
): vscode.Disposable {
  const answer =
    (decision: ApprovalDecision) =>
    async (where: FocusedApproval): Promise<void> => {
      const row = where === 'call' ? undefined : await focusedRow(view, approvalRowId);
      if (row?.kind === 'together' && decision === 'allow-once') {
        const { approvals } = await runtime.get();
        await allowTogether({ reviewOf, approvals, by: 'view' }, row);
        return;
      }
      const ofRow = row?.kind === 'request' || row?.kind === 'fact' ? row.approvalId : undefined;
      const id = where === 'call' ? activeWholeCall() : ofRow;
      if (id === undefined) throw nothingFocused();
      await resolveApproval({ reviewOf, runtime: await runtime.get() }, id, {
        decision,
        by: where ?? 'view',
      });
    };
  return vscode.Disposable.from(
    registerCommand('pincer.approvals.allowFocused', answer('allow-once')),
    registerCommand('pincer.approvals.denyFocused', answer('deny')),
    registerCommand('pincer.approvals.revokeFocused', async () => {
      const row = await focusedRow(view, approvalRowId);
      if (row?.kind !== 'grant') throw nothingFocused();
      await (await runtime.get()).approvals.grants.revoke(row.grantId);
    }),
  );
}

function nothingFocused(): PincerError {
  return new PincerError('approval_none_focused', vscode.l10n.t('No request has the focus.'), {
    hint: vscode.l10n.t('Move the focus to a row of the Approvals view first.'),
  });
}
