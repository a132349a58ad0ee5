import { cancelledError, raceAbort, throwIfAborted } from '../../../base/abort.ts';
import { parseJson } from '../../../base/json.ts';
import type { Clock, HttpClient, HttpResponse } from '../../../host/ports.ts';
import { networkReason } from '../../../models/library/networkReason.ts';
import { embeddingFailed } from '../errors.ts';
import type { EmbeddingProvider } from '../providers/embeddingProvider.ts';
import { judgeFailure, type FailedAttempt } from './judgeFailure.ts';
import type { EmbeddingEndpoint } from './planEndpoint.ts';

/** Characters of an answer. Some 2,000 vectors of 768 numbers fit; more is a fault. */
const maxAnswerLength = 32 * 1024 * 1024;
/** Characters of an error page. */
const maxErrorLength = 16_384;

/** The reason of an abort by the clock. */
const late = Symbol('late');

export interface AskOptions {
  readonly provider: EmbeddingProvider;
  readonly endpoint: EmbeddingEndpoint;
  readonly http: HttpClient;
  readonly clock: Clock;
  /** For the whole answer; a local server may load the model in that time. Milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type Attempt = { readonly answer: unknown } | { readonly failure: FailedAttempt };

/**
 * One request, one answer; follows no redirects.
 *
 * @throws PincerError `cancelled`, as soon as the signal aborts; all else is in the result.
 */
export async function askOnce(options: AskOptions, body: unknown): Promise<Attempt> {
  const { endpoint, clock, signal, timeoutMs } = options;
  throwIfAborted(signal);
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  const cancelTimer = clock.after(timeoutMs, () => stop.abort(late));
  const fail = (what: string, canRetry: boolean): Attempt => ({
    failure: { error: embeddingFailed(endpoint.who, what), canRetry },
  });
  try {
    return await raceAbort(exchange(options, body, stop.signal), stop.signal);
  } catch (error) {
    if (signal.aborted) throw cancelledError();
    if (stop.signal.reason === late)
      return fail(`did not answer within ${String(timeoutMs / 1_000)} s.`, false);
    return fail(`can not be reached: ${endpoint.quote(networkReason(error))}`, true);
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', onAbort);
    stop.abort();
  }
}

async function exchange(
  { provider, endpoint, http, clock }: AskOptions,
  body: unknown,
  signal: AbortSignal,
): Promise<Attempt> {
  const response = await http.send({
    url: endpoint.url,
    method: 'POST',
    headers: endpoint.headers,
    body: JSON.stringify(body),
    signal,
  });
  if (response.status !== 200) {
    const answer = {
      status: response.status,
      body: (await readText(response, maxErrorLength)).text,
      retryAfter: response.header('retry-after'),
      location: response.header('location'),
    };
    return { failure: judgeFailure(provider, endpoint, answer, clock.now()) };
  }
  const { text, isWhole } = await readText(response, maxAnswerLength);
  const answer = isWhole ? parseJson(text) : undefined;
  if (answer !== undefined) return { answer };
  const what = isWhole
    ? `sent no JSON: ${endpoint.quote(text.slice(0, 1_000))}`
    : 'sent more than any answer holds.';
  return { failure: { error: embeddingFailed(endpoint.who, what), canRetry: false } };
}

async function readText(response: HttpResponse, max: number): Promise<{ text: string; isWhole: boolean }> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of response.text) {
    parts.push(part.slice(0, max - length));
    length += part.length;
    if (length > max) return { text: parts.join(''), isWhole: false };
  }
  return { text: parts.join(''), isWhole: true };
}
