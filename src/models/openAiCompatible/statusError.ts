import type { PincerError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import {
  contextOverflow,
  notFound,
  rateLimited,
  redirected,
  rejected,
  unauthorized,
  unavailable,
} from './errors.ts';
import type { ModelServer } from './modelServer.ts';

export interface FailedAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter?: string | undefined;
  readonly location?: string | undefined;
}

/** Which error an HTTP status other than 200 stands for. `now` is milliseconds since the epoch. */
export function statusError(server: ModelServer, answer: FailedAnswer, now: number): PincerError {
  const { status } = answer;
  const full = serverMessage(answer.body);
  const said = server.quote(full);
  if (status === 401 || status === 403) return unauthorized(server, said);
  if (status === 404) return notFound(server, said);
  if (status === 429) return rateLimited(server, said, readRetryAfter(answer.retryAfter, now));
  if (status === 413 || saysContextOverflow(full)) return contextOverflow(server, said);
  if (status >= 300 && status < 400) return redirected(server, server.quote(answer.location ?? ''));
  if (status >= 500) return unavailable(server, `failed with status ${status}`, said);
  return rejected(server, status, said);
}

/** The error that a server reports inside a stream that began well. */
export function reportedError(server: ModelServer, error: unknown): PincerError {
  const full = serverMessage(JSON.stringify({ error }));
  const code = isRecord(error) ? Number(error['code'] ?? error['status']) : Number.NaN;
  if (code >= 400 && code < 600) return statusError(server, { status: code, body: full }, 0);
  const said = server.quote(full);
  if (saysContextOverflow(full)) return contextOverflow(server, said);
  return unavailable(server, 'reported an error in the middle of the answer', said);
}

/** The sentence in an error body: `{error: {message}}`, `{error}`, `{message}`, `{detail}`, or the body itself. */
export function serverMessage(body: string): string {
  const json = parseJson(body);
  if (!isRecord(json)) return body;
  const inner = json['error'] ?? json['message'] ?? json['detail'] ?? json;
  const message = isRecord(inner) ? (inner['message'] ?? inner['detail'] ?? inner) : inner;
  return typeof message === 'string' ? message : JSON.stringify(message);
}

/** No two servers word it alike, and few send a code of its own. */
function saysContextOverflow(text: string): boolean {
  return /context[ _-]?(?:length|window|size|limit)|maximum context|prompt is too long|too many tokens|\bn_ctx\b/iu.test(
    text,
  );
}

/** `20 s` or `3 min` from seconds or an HTTP date. */
function readRetryAfter(value: string | undefined, now: number): string | undefined {
  if (value === undefined || value.trim() === '') return undefined;
  const seconds = /^\d+(?:\.\d+)?$/u.test(value.trim())
    ? Math.ceil(Number(value))
    : Math.ceil((Date.parse(value) - now) / 1000);
  if (!Number.isFinite(seconds) || seconds < 0) return undefined;
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
