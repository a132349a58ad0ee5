import type { ApprovalRecord } from '../../approvals/approvalBroker.ts';
import type { InterruptedApproval } from '../../approvals/createPendingApprovals.ts';
import type { ApprovalGrant, ApprovalRequest } from '../../contracts/approval.ts';

export type ApprovalGroup = 'interrupted' | 'grants' | 'history';

/** A row of the Approvals view. What waits stands at the top, outside of any group. */
export type ApprovalRow =
  | { readonly kind: 'request'; readonly approvalId: string; readonly request: ApprovalRequest }
  | { readonly kind: 'fact'; readonly fact: ApprovalFact; readonly approvalId: string }
  | { readonly kind: 'group'; readonly group: ApprovalGroup; readonly children: readonly ApprovalRow[] }
  | {
      readonly kind: 'interrupted';
      readonly interruptedId: string;
      readonly interrupted: InterruptedApproval;
    }
  | { readonly kind: 'grant'; readonly grantId: string; readonly grant: ApprovalGrant }
  | { readonly kind: 'record'; readonly approvalId: string; readonly record: ApprovalRecord };

/** One thing that is to be known of a call before it is answered. */
export type ApprovalFact =
  | { readonly is: 'tool'; readonly text: string }
  | {
      readonly is: 'command' | 'folder' | 'address' | 'file' | 'param';
      readonly text: string;
      readonly name?: string;
    }
  | { readonly is: 'askers'; readonly askers: readonly string[] }
  | { readonly is: 'always'; readonly covers: string | undefined }
  | { readonly is: 'time'; readonly request: ApprovalRequest }
  | { readonly is: 'call' };

export interface ApprovalState {
  readonly pending: readonly ApprovalRequest[];
  readonly interrupted: readonly InterruptedApproval[];
  readonly grants: readonly ApprovalGrant[];
  readonly history: readonly ApprovalRecord[];
}

/** More is behind the traces of the runs. */
const shownRecords = 50;

/** The rows of the view: what waits, what the last window left open, what is always allowed, what was decided (newest first). Pure. */
export function planApprovalRows({
  pending,
  interrupted,
  grants,
  history,
}: ApprovalState): readonly ApprovalRow[] {
  const groups: readonly Extract<ApprovalRow, { kind: 'group' }>[] = [
    {
      kind: 'group',
      group: 'interrupted',
      children: interrupted.map((each) => ({
        kind: 'interrupted',
        interruptedId: each.id,
        interrupted: each,
      })),
    },
    {
      kind: 'group',
      group: 'grants',
      children: grants.map((grant) => ({ kind: 'grant', grantId: grant.id, grant })),
    },
    {
      kind: 'group',
      group: 'history',
      children: history
        .slice(-shownRecords)
        .reverse()
        .map((record) => ({ kind: 'record', approvalId: record.request.id, record })),
    },
  ];
  return [
    ...pending.map((request): ApprovalRow => ({ kind: 'request', approvalId: request.id, request })),
    ...groups.filter(({ children }) => children.length > 0),
  ];
}

/** The whole call, a row for each thing. Pure. */
export function planFacts(request: ApprovalRequest): readonly ApprovalRow[] {
  const { effects = [], edits, params, askers, decisions, grantLabel, toolName, id } = request;
  const facts: readonly ApprovalFact[] = [
    ...effects.flatMap((effect): readonly ApprovalFact[] =>
      effect.kind === 'execute'
        ? [
            { is: 'command', text: effect.command },
            { is: 'folder', text: effect.workdir },
          ]
        : [{ is: 'address', text: effect.url }],
    ),
    ...edits.map((edit): ApprovalFact => ({ is: 'file', text: edit.label })),
    { is: 'askers', askers },
    { is: 'tool', text: toolName },
    // A diff shows the parameters of an edit.
    ...(edits.length > 0
      ? []
      : Object.entries(params).map(([name, value]): ApprovalFact => ({
          is: 'param',
          name,
          text: typeof value === 'string' ? value : JSON.stringify(value),
        }))),
    { is: 'always', covers: decisions.includes('allow-always') ? grantLabel : undefined },
    { is: 'time', request },
    { is: 'call' },
  ];
  return facts.map((fact) => ({ kind: 'fact', fact, approvalId: id }));
}
