// Threat: a yes from afar to what was not seen there, or to more than this one call. A client may allow only what it was itself sent
// whole, once; what is too long to be sent can be denied from afar and is allowed in VS Code alone.
import { approvalAlreadyResolved } from '../../approvals/approvalErrors.ts';
import { fullCall } from '../../approvals/fullCall.ts';
import { PincerError } from '../../base/errors.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import type { RemoteApprovals } from '../gatewayPorts.ts';

/** What a client may be shown of one call. Characters. */
const maxCall = 100_000;

interface RemoteApprovalsParts {
  readonly approvals: RemoteApprovals;
  /** Tells every client with the scope. */
  readonly tell: (event: 'approvals.requested' | 'approvals.resolved', payload: object) => void;
  /** The clients with the scope, by their ids. */
  readonly approvers: () => readonly number[];
}

/** The questions that wait, as clients see and answer them. */
export interface ClientApprovals {
  /** What waits now, sent whole to this client where that can be done. */
  list(client: number): readonly object[];
  /** @throws PincerError `request_invalid`, `approval_not_shown`, `approval_already_resolved` and what the broker refuses an answer with */
  resolve(client: number, id: string, decision: unknown, words?: string): object;
  left(client: number): void;
  dispose(): void;
}

export function createRemoteApprovals({ approvals, tell, approvers }: RemoteApprovalsParts): ClientApprovals {
  /** Who was sent which question whole. */
  const shown = new Map<number, Set<string>>();
  let known = new Map(approvals.pending().map((request) => [request.id, request]));

  const noteSent = (client: number, request: ApprovalRequest): void => {
    if (fullCall(request).length > maxCall) return;
    const ids = shown.get(client) ?? new Set();
    ids.add(request.id);
    shown.set(client, ids);
  };
  const listening = approvals.onDidChange(() => {
    const waiting = new Map(approvals.pending().map((request) => [request.id, request]));
    const before = known;
    known = waiting;
    for (const [id, request] of waiting) {
      if (before.has(id)) continue;
      tell('approvals.requested', describe(request));
      for (const client of approvers()) noteSent(client, request);
    }
    for (const [id, request] of before) {
      if (waiting.has(id)) continue;
      const record = approvals.history().find((each) => each.request.id === id);
      // An "always" is written down before it is in the history: the next change tells.
      if (record === undefined) known.set(id, request);
      else {
        for (const ids of shown.values()) ids.delete(id);
        const { resolution, allowed, by } = record;
        tell('approvals.resolved', { id, resolution, allowed, by });
      }
    }
  });

  return {
    list(client) {
      const waiting = approvals.pending();
      for (const request of waiting) noteSent(client, request);
      return waiting.map(describe);
    },
    resolve(client, id, decision, words) {
      if (decision !== 'allow-once' && decision !== 'deny')
        throw new PincerError('request_invalid', 'decision must be allow-once or deny.', {
          hint: 'What lasts longer is allowed in VS Code.',
        });
      if (decision === 'allow-once') {
        if (words !== undefined) throw new PincerError('request_invalid', 'words go with a deny alone.');
        if (approvals.history().some(({ request }) => request.id === id)) throw approvalAlreadyResolved(id);
        if (shown.get(client)?.has(id) !== true)
          throw new PincerError('approval_not_shown', 'This client was not shown all of the call.', {
            hint: 'approvals.list shows it where it is short enough; else allow it in VS Code.',
          });
        approvals.noteShownWhole(id, 'remote');
      }
      const result = approvals.resolve(id, decision, 'gateway', { words });
      if (!result.ok) throw result.error;
      return { id: result.request.id, decision };
    },
    left: (client) => void shown.delete(client),
    dispose: () => listening.dispose(),
  };
}

function describe(request: ApprovalRequest): object {
  const { id, sessionKey, runId, toolCallId, toolName, title, description, severity, askers } = request;
  const call = fullCall(request);
  const isWhole = call.length <= maxCall;
  return {
    ...{ id, sessionKey, runId, toolCallId, toolName, title, description, severity, askers },
    /** All of the call as text, the changes of files as a diff. */
    call: isWhole ? call : call.slice(0, maxCall / 4),
    isWhole,
    decisions: isWhole ? ['allow-once', 'deny'] : ['deny'],
    createdAt: request.createdAt,
    timeoutMs: request.timeoutMs,
  };
}
