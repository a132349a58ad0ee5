import * as vscode from 'vscode';
import type { ApprovalGrant, ApprovalRequest } from '../../contracts/approval.ts';
import { shownParams } from '../approvals/shownParams.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';

type Row =
  | { readonly kind: 'request'; readonly approvalId: string; readonly request: ApprovalRequest }
  | { readonly kind: 'grant'; readonly grantId: string; readonly grant: ApprovalGrant };

/** Requests that wait, then what was allowed for good. */
export function registerApprovalsTree(runtime: LazyRuntime): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const view = vscode.window.createTreeView<Row>('pincer.approvals', {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (row) => (row === undefined ? await rows(runtime) : []),
      getTreeItem: (row) => (row.kind === 'request' ? requestItem(row.request) : grantItem(row.grant)),
    },
  });
  const attached = runtime.whenLoaded((loaded) => {
    const refresh = (): void => {
      const count = loaded.approvals.pending().length;
      view.badge =
        count === 0 ? undefined : { value: count, tooltip: vscode.l10n.t('Approvals waiting: {0}', count) };
      void vscode.commands.executeCommand('setContext', 'pincer.hasPendingApprovals', count > 0);
      changed.fire();
    };
    return vscode.Disposable.from(loaded.approvals.onDidChange(refresh), loaded.grants.onDidChange(refresh));
  });
  return vscode.Disposable.from(view, changed, attached);
}

async function rows(runtime: LazyRuntime): Promise<Row[]> {
  const loaded = await runtime.get();
  const grants = await loaded.grants.list();
  return [
    ...loaded.approvals
      .pending()
      .map((request): Row => ({ kind: 'request', approvalId: request.id, request })),
    ...grants.map((grant): Row => ({ kind: 'grant', grantId: grant.id, grant })),
  ];
}

function requestItem(request: ApprovalRequest): vscode.TreeItem {
  const item = new vscode.TreeItem(request.title);
  item.id = request.id;
  item.description = request.description;
  const params = shownParams(request);
  item.tooltip = [
    request.title,
    request.description,
    vscode.l10n.t('Tool: {0}', request.toolName),
    ...(params === undefined ? [] : [params]),
    ...(request.decisions.includes('allow-always')
      ? [vscode.l10n.t('Always covers: {0}', request.grantLabel)]
      : []),
    vscode.l10n.t('Asked by: {0}', request.askers.join(', ')),
    vscode.l10n.t('Denied if nobody answers by {0}', new Date(request.expiresAt).toLocaleTimeString()),
  ].join('\n');
  item.iconPath = new vscode.ThemeIcon(request.severity === 'info' ? 'info' : 'warning');
  const grantable = request.decisions.includes('allow-always') ? '.grantable' : '';
  item.contextValue = `approval${grantable}${request.edits.length > 0 ? '.edit' : ''}`;
  item.accessibilityInformation = {
    label: vscode.l10n.t('Approval waiting: {0}. {1}', request.title, request.description),
  };
  if (request.edits.length > 0) {
    item.command = {
      command: 'pincer.approvals.showDiff',
      title: vscode.l10n.t('Show diff'),
      arguments: [{ approvalId: request.id }],
    };
  }
  return item;
}

function grantItem(grant: ApprovalGrant): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Always: {0} {1}', grant.toolName, grant.target));
  item.id = grant.id;
  item.description =
    grant.asker === 'host' ? vscode.l10n.t('this workspace') : vscode.l10n.t('for plugin {0}', grant.asker);
  item.iconPath = new vscode.ThemeIcon('pass');
  item.contextValue = 'grant';
  return item;
}
