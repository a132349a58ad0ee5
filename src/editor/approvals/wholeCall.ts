import * as vscode from 'vscode';
import { fullCall } from '../../approvals/fullCall.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { inBackground } from '../registerCommand.ts';

/** Read-only documents that hold one request each; `package.json` gives them a language that wraps long lines. */
const scheme = 'pincer-call';

/** Shows whole calls, and closes them once they are answered. What was decided can still be read from the history. */
export function registerWholeCalls(runtime: LazyRuntime): Disposable {
  // Those that a reload brought back belong to questions that ended with the window.
  inBackground(closeTabs(() => true));
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => {
        const request = findRequest(runtime.peek(), uri.query);
        return request === undefined ? vscode.l10n.t('This request is gone.') : fullCall(request);
      },
    }),
    runtime.whenLoaded(closeAnswered),
  );
}

function closeAnswered(runtime: Runtime): Disposable {
  let waiting = new Set<string>();
  return runtime.approvals.onDidChange(() => {
    const pending = new Set(runtime.approvals.pending().map(({ id }) => id));
    const answered = [...waiting].filter((id) => !pending.has(id));
    waiting = pending;
    if (answered.length > 0) inBackground(closeTabs((id) => answered.includes(id)));
  });
}

/** Opens the complete call of a request that waits or was decided; from then on a yes counts everywhere. */
export async function openWholeCall({ approvals }: Runtime, request: ApprovalRequest): Promise<void> {
  const uri = vscode.Uri.from({ scheme, path: '/Whole call', query: request.id });
  await vscode.window.showTextDocument(uri, { preview: false });
  approvals.noteShownWhole(request.id, 'call');
}

/** The request whose whole call this is; undefined for any other document. */
export function requestOfWholeCall(uri: vscode.Uri | undefined): string | undefined {
  return uri?.scheme === scheme ? uri.query : undefined;
}

/** The request whose whole call has the focus, or had it last among editors. */
export function activeWholeCall(): string | undefined {
  return requestOfWholeCall(vscode.window.activeTextEditor?.document.uri);
}

export function findRequest(runtime: Runtime | undefined, id: string): ApprovalRequest | undefined {
  const { approvals } = runtime ?? {};
  return (
    approvals?.pending().find((each) => each.id === id) ??
    approvals?.history().find((each) => each.request.id === id)?.request
  );
}

async function closeTabs(isMeant: (requestId: string) => boolean): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => {
      const id = tab.input instanceof vscode.TabInputText ? requestOfWholeCall(tab.input.uri) : undefined;
      return id !== undefined && isMeant(id);
    });
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}
