import type { IncomingMessage, ServerResponse } from 'node:http';
import { PincerError } from '../../base/errors.ts';
import { isRecord, isTooDeep, parseJson } from '../../base/json.ts';

/** Ends a request with a problem, in the shape of all answers of the gateway. */
export function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  sendJson(response, status, { ok: false, error: { type, message } });
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(JSON.stringify(value));
}

/** The body as an object. The thread has limited its size. @throws PincerError `request_invalid` */
export async function readBody(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = parseJson(Buffer.concat(chunks).toString('utf8'));
  if (!isRecord(body) || isTooDeep(body)) throw invalidRequest('The body must be a JSON object.');
  return body;
}

export function invalidRequest(message: string): PincerError {
  return new PincerError('request_invalid', message);
}

/** Aborts once the caller has left before the answer is complete. */
export function signalOf(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort();
  });
  return left.signal;
}

const statusByCode: Readonly<Record<string, number>> = {
  request_invalid: 400,
  settings_invalid: 400,
  inbox_text_too_long: 400,
  session_agent_differs: 400,
  session_value_invalid: 400,
  approval_ambiguous: 400,
  approval_decision_not_offered: 400,
  approval_not_shown: 403,
  // Somebody has stopped it: no client is to take that for a failure and ask again.
  cancelled: 403,
  message_blocked: 403,
  tenant_mismatch: 403,
  agent_unknown: 404,
  approval_unknown: 404,
  model_unknown: 404,
  run_unknown: 404,
  session_extension_unknown: 404,
  session_unknown: 404,
  approval_already_resolved: 409,
  inbox_full: 429,
  model_rate_limited: 429,
  model_quota: 429,
  agent_stopped: 503,
  model_offline: 503,
  model_unavailable: 503,
  model_timeout: 504,
};

/** The HTTP status of a failure, and what the caller is told. */
export function failureOf(error: unknown): {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly message: string;
} {
  if (!(error instanceof PincerError))
    return {
      status: 500,
      type: 'api_error',
      code: 'internal',
      message: 'The request could not be answered.',
    };
  const { code, message, hint } = error;
  const status = statusByCode[code] ?? 500;
  // Nothing was wrong with a request whose turn somebody has stopped.
  const type = status < 500 && code !== 'cancelled' ? 'invalid_request_error' : 'api_error';
  return { status, type, code, message: hint === undefined ? message : `${message} ${hint}` };
}
