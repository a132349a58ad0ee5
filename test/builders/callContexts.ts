import type { ApprovalQuestion } from '../../src/approvals/approvalBroker.ts';
import type { ExecuteEffect, NetworkEffect, RunContext, ToolCall } from '../../src/contracts/tool.ts';

/** What sets a call of a test apart from others. */
export interface CallParts {
  readonly toolName?: string;
  readonly toolCallId?: string;
  readonly runId?: string;
  readonly sessionId?: string;
  readonly sessionKey?: string;
  readonly tenantId?: string;
  readonly signal?: AbortSignal;
}

/** A call as the pipeline would hand it on. */
export function toolCallOf({
  toolName = 'tool',
  toolCallId = 'call-1',
  tenantId,
  ...turn
}: CallParts = {}): ToolCall {
  return {
    part: { type: 'toolCall', id: toolCallId, name: toolName, arguments: {} },
    turn: {
      runId: 'run-1',
      sessionId: 's1',
      sessionKey: 'main',
      signal: new AbortController().signal,
      ...(tenantId === undefined ? {} : { tenant: { tenantId } }),
      ...turn,
    },
  };
}

export const testCall = (signal = new AbortController().signal): ToolCall => toolCallOf({ signal });

/** A call and what is asked about it, as the broker takes them. */
export function questionOf({
  params,
  asks,
  edits,
  kind,
  effects,
  grantScope,
  onAsked,
  ...call
}: CallParts & ApprovalQuestion): [ToolCall, ApprovalQuestion] {
  const optional = {
    ...(kind === undefined ? {} : { kind }),
    ...(effects === undefined ? {} : { effects }),
    ...(onAsked === undefined ? {} : { onAsked }),
  };
  return [toolCallOf(call), { params, asks, edits, grantScope, ...optional }];
}

/** What a prepared call runs with when a person has accepted everything. */
export function testRun(signal = new AbortController().signal): RunContext {
  return { signal, onUpdate: () => undefined, rejected: new Map(), consent: 'person' };
}

/** A command that the allow list does not cover. */
export function executes(command: string, parts: Partial<ExecuteEffect> = {}): ExecuteEffect {
  const reason = 'not on the allow list';
  return { kind: 'execute', command, workdir: '/w', host: 'local', verdict: 'ask', reason, ...parts };
}

/** A connection to a host that nobody has allowed. */
export function connects(host: string, parts: Partial<NetworkEffect> = {}): NetworkEffect {
  return { kind: 'network', host, url: `https://${host}/`, isAllowed: false, isTainted: false, ...parts };
}
