import type { PincerError } from '../../../base/errors.ts';
import { serverMessage } from '../../../models/library/statusError.ts';
import { embeddingFailed, embeddingRefused } from '../errors.ts';
import type { EmbeddingProvider } from '../providers/embeddingProvider.ts';
import { keyHint, type EmbeddingEndpoint } from './planEndpoint.ts';
import { readRetryAfter } from './planRetry.ts';

/** An attempt that brought no answer. */
export interface FailedAttempt {
  readonly error: PincerError;
  readonly canRetry: boolean;
  readonly retryAfterMs?: number | undefined;
  /** The server finds a text too long: it may take a shorter one. */
  readonly isTooLong?: boolean;
}

export interface FailedAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | undefined;
  readonly location: string | undefined;
}

/** What an HTTP status other than 200 means for the next attempt and for people. `now`: milliseconds since the epoch. */
export function judgeFailure(
  provider: EmbeddingProvider,
  { who, quote }: EmbeddingEndpoint,
  answer: FailedAnswer,
  now: number,
): FailedAttempt {
  const { status } = answer;
  const message = serverMessage(answer.body);
  const said = quote(message);
  const reason = said === '' ? '.' : `: ${said}`;
  const isTooLong = status === 413 || (status >= 400 && saysTooLong(message));
  if (status === 408 || status === 429 || status >= 500) {
    const what = status === 429 ? 'limits how often it may be asked' : `failed with status ${String(status)}`;
    return {
      error: embeddingFailed(who, `${what}${reason}`),
      canRetry: true,
      retryAfterMs: readRetryAfter(answer.retryAfter, now),
      isTooLong,
    };
  }
  const refuse = (what: string, hint: string): FailedAttempt => ({
    error: embeddingRefused(who, what, hint),
    canRetry: false,
    isTooLong,
  });
  if (status === 401 || status === 403) {
    const what = provider.keyVariable === undefined ? 'asks for a key' : 'did not accept the key';
    return refuse(`${what}${reason}`, keyHint(provider));
  }
  if (status === 404) {
    return refuse(`has no such model, or is not the right address${reason}`, modelHint(provider));
  }
  if (status >= 300 && status < 400) {
    const target = quote(answer.location ?? '');
    const where = target === '' ? '.' : `: ${target}`;
    return refuse(
      `points to another address${where}`,
      'If that address is the right one, set it as the base URL.',
    );
  }
  return refuse(`refused the request (status ${String(status)})${reason}`, modelHint(provider));
}

function modelHint({ id, model }: EmbeddingProvider): string {
  return id === 'local'
    ? `Check memory.model and memory.local.baseUrl. Ollama gets its default model with: ollama pull ${model}`
    : 'Check memory.model, memory.remote.baseUrl and the key.';
}

/** No two servers word it alike. */
function saysTooLong(text: string): boolean {
  return /too (?:long|large|many tokens)|context (?:length|size|window)|maximum[^.]{0,40} tokens|exceeds? the (?:maximum|limit)/iu.test(
    text,
  );
}
