import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../contracts/approval.ts';
import type { FileEdit } from '../../contracts/tool.ts';
import type { Runtime } from '../../runtime/index.ts';
import { resolveApproval } from '../approvals/approvalCommands.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { inBackground, registerCommand } from '../registerCommand.ts';
import { readSetting } from '../readSetting.ts';

/** Left and right side of a proposed edit. Both are virtual: the disk is untouched until it is accepted (rulings T8). */
const beforeScheme = 'pincer-current';
const afterScheme = 'pincer-proposed';

/** Shows proposed edits as diffs, with Accept and Reject in the editor's title and on the keyboard. */
export function registerEditReview(runtime: LazyRuntime): vscode.Disposable {
  const documents: vscode.TextDocumentContentProvider = {
    provideTextDocumentContent: (uri) => contentOf(runtime.peek(), uri) ?? '',
  };
  // Diffs that a reload brought back belong to questions that ended with the window.
  inBackground(closeTabs(() => true));
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(beforeScheme, documents),
    vscode.workspace.registerTextDocumentContentProvider(afterScheme, documents),
    registerCommand('pincer.review.accept', async (target) =>
      answerActive(await runtime.get(), target, 'allow-once'),
    ),
    registerCommand('pincer.review.reject', async (target) =>
      answerActive(await runtime.get(), target, 'deny'),
    ),
    runtime.whenLoaded(followApprovals),
  );
}

/** Opens a diff when an edit starts to wait, and closes it once it is answered. Closing it by hand decides nothing. */
function followApprovals(runtime: Runtime): Disposable {
  let shown: readonly ApprovalRequest[] = [];
  return runtime.approvals.onDidChange(() => {
    const pending = runtime.approvals.pending().filter((request) => request.edits.length > 0);
    const fresh = pending.filter((request) => !shown.includes(request));
    const answered = shown.filter((request) => !pending.includes(request));
    shown = pending;
    if (readSetting('review.openDiff'))
      for (const request of fresh) inBackground(openWhileItWaits(runtime, request));
    for (const request of answered) inBackground(closeTabs((id) => id === request.id));
  });
}

/** An answer may come while the diff is still opening. */
async function openWhileItWaits(runtime: Runtime, request: ApprovalRequest): Promise<void> {
  await openProposedEdits(request, { preserveFocus: true });
  if (!runtime.approvals.pending().includes(request)) await closeTabs((id) => id === request.id);
}

/** Shows every edit of a request. */
export async function openProposedEdits(
  request: ApprovalRequest,
  options: { readonly preserveFocus: boolean },
): Promise<void> {
  for (const [index, edit] of request.edits.entries()) {
    const title = vscode.l10n.t('{0} (proposed)', basename(edit.path));
    await vscode.commands.executeCommand(
      'vscode.diff',
      editUri(beforeScheme, request.id, index, edit),
      editUri(afterScheme, request.id, index, edit),
      title,
      { preview: false, preserveFocus: options.preserveFocus } satisfies vscode.TextDocumentShowOptions,
    );
  }
}

async function closeTabs(isMeant: (requestId: string) => boolean): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => {
      const id = tab.input instanceof vscode.TabInputTextDiff ? requestIdOf(tab.input.modified) : undefined;
      return id !== undefined && isMeant(id);
    });
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

/** The file's own path keeps its name and language; the query says which edit of which request it is. */
function editUri(scheme: string, requestId: string, index: number, edit: FileEdit): vscode.Uri {
  return vscode.Uri.file(edit.path).with({ scheme, query: `${requestId}/${String(index)}` });
}

function requestIdOf(uri: vscode.Uri): string | undefined {
  return uri.scheme === afterScheme || uri.scheme === beforeScheme ? uri.query.split('/')[0] : undefined;
}

function contentOf(runtime: Runtime | undefined, uri: vscode.Uri): string | undefined {
  const [id, index] = uri.query.split('/');
  const edit = runtime?.approvals.pending().find((each) => each.id === id)?.edits[Number(index)];
  return uri.scheme === beforeScheme ? (edit?.before ?? '') : (edit?.after ?? '');
}

/** The editor title passes the document's address; from the keyboard it is the active diff. */
function answerActive(runtime: Runtime, target: unknown, decision: ApprovalDecision): void {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri =
    target instanceof vscode.Uri
      ? target
      : input instanceof vscode.TabInputTextDiff
        ? input.modified
        : undefined;
  const id = uri === undefined ? undefined : requestIdOf(uri);
  if (id !== undefined) resolveApproval(runtime, id, decision, 'review');
}
