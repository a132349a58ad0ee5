import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRecord } from '../../base/json.ts';
import type { GatewayPorts, ToolInvocation, ToolOutcome } from '../gatewayPorts.ts';
import { invalidRequest, readBody, sendJson, signalOf } from './exchange.ts';

/**
 * `POST /tools/invoke` (OpenClaw documentation, Tools invoke API). What asks in a turn asks here, too: upstream's own list of tools that it
 * denies over HTTP is not needed.
 */
export async function answerToolCall(
  ports: Pick<GatewayPorts, 'callTool'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const invocation = readInvocation(await readBody(request), signalOf(response));
  const outcome = await ports.callTool(invocation);
  const problem = problemOf(outcome);
  if (problem === undefined) {
    const { content, details } = outcome.message;
    sendJson(response, 200, { ok: true, result: { content, ...(details === undefined ? {} : { details }) } });
  } else sendJson(response, problem.status, { ok: false, error: problem.error });
}

/** @throws PincerError `request_invalid` */
function readInvocation(body: Readonly<Record<string, unknown>>, signal: AbortSignal): ToolInvocation {
  const { action, args = {}, sessionKey, agentId, idempotencyKey } = body;
  const name = textOf(body['name']) ?? textOf(body['tool']);
  if (name === undefined) throw invalidRequest('tool must be the name of a tool.');
  if (!isRecord(args)) throw invalidRequest('args must be an object.');
  const key = textOf(sessionKey);
  const agent = textOf(agentId);
  const idempotency = textOf(idempotencyKey);
  return {
    name,
    args: action === undefined || 'action' in args ? args : { ...args, action },
    ...(key === undefined || key === 'main' ? {} : { sessionKey: key }),
    ...(agent === undefined ? {} : { agentId: agent }),
    callId: `invoke_${idempotency === undefined ? randomUUID() : hashOf(idempotency)}`,
    signal,
  };
}

/** What went wrong, by what the program itself knows; undefined where the tool ran. */
function problemOf({ message, facts }: ToolOutcome):
  | {
      readonly status: number;
      readonly error: { readonly type: string; readonly message: string; readonly requiresApproval?: true };
    }
  | undefined {
  if (!message.isError) return undefined;
  const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))[0] ?? '';
  const said = isRecord(facts) ? facts['status'] : undefined;
  if (said === 'unknown-tool') return { status: 404, error: { type: 'not_found', message: text } };
  if (said === 'invalid-params')
    return { status: 400, error: { type: 'invalid_request_error', message: text } };
  if (said === 'denied')
    return { status: 403, error: { type: 'forbidden', message: text, requiresApproval: true } };
  if (said === 'blocked' || said === 'withheld')
    return { status: 403, error: { type: 'forbidden', message: text } };
  return { status: 500, error: { type: 'tool_error', message: text } };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
