import type { PincerError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import {
  contextOverflow,
  gone,
  quotaExceeded,
  rateLimited,
  redirected,
  refused,
  rejected,
  unauthorized,
  unavailable,
  type ModelServer,
} from './modelErrors.ts';

export interface FailedAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfterMs?: number | undefined;
  readonly location?: string | undefined;
}

/** Which error an HTTP status other than 200 stands for; what the body says counts more than the number. */
export function statusError(server: ModelServer, answer: FailedAnswer): PincerError {
  const { status, retryAfterMs } = answer;
  const full = serverMessage(answer.body);
  const said = server.quote(full);
  const sign = signOf(`${errorCodes(answer.body)} ${full}`);
  if (sign === 'key' || status === 401) return unauthorized(server, said);
  if (sign === 'refused') return refused(server, said);
  if (sign === 'overflow' || status === 413) return contextOverflow(server, said);
  // A limit for a minute is worded like one for good, but names the time to wait.
  if (status === 402 || (sign === 'quota' && retryAfterMs === undefined)) return quotaExceeded(server, said);
  if (status === 429) return rateLimited(server, said, retryAfterMs);
  if (sign === 'gone' || status === 404 || status === 410) return gone(server, said);
  if (status === 403) return unauthorized(server, said);
  if (status >= 300 && status < 400) return redirected(server, server.quote(answer.location ?? ''));
  if (status >= 500 || status === 408)
    return unavailable(server, `failed with status ${status}`, said, retryAfterMs);
  return rejected(server, status, said);
}

/** What the servers' own codes for errors within a stream stand for. */
const statusOfCode: Readonly<Record<string, number>> = {
  overloaded_error: 529,
  api_error: 500,
  server_error: 500,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  RESOURCE_EXHAUSTED: 429,
  UNAVAILABLE: 503,
  INTERNAL: 500,
  DEADLINE_EXCEEDED: 504,
  authentication_error: 401,
  permission_error: 403,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  not_found_error: 404,
  NOT_FOUND: 404,
  billing_error: 402,
  request_too_large: 413,
};

/** The error that a server reports inside a stream that began well. */
export function reportedError(server: ModelServer, error: unknown): PincerError {
  const body = JSON.stringify({ error });
  const codes = isRecord(error) ? [error['code'], error['status'], error['statusCode'], error['type']] : [];
  const status = codes
    .map((code) => (typeof code === 'string' ? statusOfCode[code] : undefined) ?? Number(code ?? Number.NaN))
    .find((each) => each >= 400 && each < 600);
  if (status !== undefined || signOf(`${errorCodes(body)} ${serverMessage(body)}`) !== undefined) {
    return statusError(server, { status: status ?? 500, body });
  }
  const said = server.quote(serverMessage(body));
  return unavailable(server, 'reported an error in the middle of the answer', said);
}

/** The sentence in an error body: `{error: {message}}`, `{error}`, `{message}`, `{detail}`, or the body itself. */
export function serverMessage(body: string): string {
  const parsed = parseJson(body);
  // Google wraps its errors in a list where an answer would have been one.
  const json: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isRecord(json)) return body;
  const inner = json['error'] ?? json['message'] ?? json['detail'] ?? json;
  const message = isRecord(inner) ? (inner['message'] ?? inner['detail'] ?? inner) : inner;
  return typeof message === 'string' ? message : JSON.stringify(message);
}

/** The short codes beside the sentence, such as `insufficient_quota`. */
function errorCodes(body: string): string {
  const json = parseJson(body);
  const error = isRecord(json) ? json['error'] : undefined;
  if (!isRecord(error)) return '';
  return [error['code'], error['type'], error['status']].filter((each) => typeof each === 'string').join(' ');
}

type Sign = 'key' | 'refused' | 'overflow' | 'quota' | 'gone';

/** No two servers word it alike, and few send a code of its own. */
const signs: readonly (readonly [Sign, RegExp])[] = [
  ['key', /api key not valid|invalid[ _]api[ _]key|incorrect api key|API_KEY_INVALID|unregistered callers/iu],
  ['refused', /content_filter|content_policy_violation|responsible ?ai ?policy/iu],
  [
    'overflow',
    /context[ _-]?(?:length|window|size|limit)|maximum context|(?:prompt|input) is too long|input token count .*exceeds|too many tokens|\bn_ctx\b/iu,
  ],
  [
    'quota',
    /insufficient[_ ](?:quota|balance|credits?|funds)|exceeded your current quota|credit balance is too low|billing_(?:error|hard_limit)/iu,
  ],
  ['gone', /model_not_found|model .{0,120}(?:does not exist|not found)|not_found_error/iu],
];

function signOf(text: string): Sign | undefined {
  return signs.find(([, pattern]) => pattern.test(text))?.[0];
}
