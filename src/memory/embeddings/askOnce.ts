import { cancelledError, raceAbort, throwIfAborted } from '../../base/abort.ts';
import type { PincerError } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { Clock, HttpClient, HttpResponse } from '../../host/ports.ts';
import { networkReason } from '../../models/library/networkReason.ts';
import { parseRetryAfter } from '../../models/library/readRetryAfter.ts';
import { serverMessage } from '../../models/library/statusError.ts';
import { isLoopback } from '../../net/isLoopback.ts';
import { embeddingFailed, embeddingRefused } from './embedder.ts';
import type { EmbeddingProvider } from './providers.ts';

/** Characters of an answer. Some 2,000 vectors of 768 numbers fit; more is a fault. */
const maxAnswerLength = 32 * 1024 * 1024;
/** Characters of an error page. */
const maxErrorLength = 16_384;

/** The reason of an abort by the clock. */
const late = Symbol('late');

interface AskOptions {
  readonly provider: EmbeddingProvider;
  readonly endpoint: EmbeddingEndpoint;
  readonly http: HttpClient;
  readonly clock: Clock;
  /** For the whole answer; a local server may load the model in that time. Milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

type Attempt = { readonly answer: unknown } | { readonly failure: FailedAttempt };

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

/** An attempt that brought no answer. */
interface FailedAttempt {
  readonly error: PincerError;
  readonly canRetry: boolean;
  readonly retryAfterMs?: number | undefined;
  /** The server finds a text too long: it may take a shorter one. */
  readonly isTooLong?: boolean;
}

interface FailedAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | undefined;
  readonly location: string | undefined;
}

/** What an HTTP status other than 200 means for the next attempt and for people. `now`: milliseconds since the epoch. */
function judgeFailure(
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
    const what = status === 429 ? 'limits the rate of requests' : `failed with status ${String(status)}`;
    return {
      error: embeddingFailed(who, `${what}${reason}`),
      canRetry: true,
      retryAfterMs: parseRetryAfter(answer.retryAfter, now),
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

// Threat: a key or the texts of notes travel in the open, or a server echoes the key in an error that ends up in a log or a
// chat. So a key goes over https or stays on the machine, and all that a server says passes `quote`.

interface EndpointOptions {
  readonly provider: EmbeddingProvider;
  /** What people call it: `OpenAI`, `Ollama`. */
  readonly name: string;
  readonly baseUrl: string;
  readonly model: string;
  /** Empty where none is needed. */
  readonly key: string;
}

/** Everything that is fixed before a request. */
interface EmbeddingEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Without its query, which can carry a key. */
  readonly address: string;
  /** Begins each error: provider, model and address. */
  readonly who: string;
  /** What a server said as errors show it: one line, at most 200 characters, no key. */
  readonly quote: (text: string) => string;
}

/** @throws PincerError `embedding_refused` for an address or a key that must not or can not be sent; nothing was sent then. */
export function planEndpoint({ provider, name, baseUrl, model, key }: EndpointOptions): EmbeddingEndpoint {
  const setting = provider.id === 'local' ? 'memory.local.baseUrl' : 'memory.remote.baseUrl';
  const base = parseBase(baseUrl, provider.basePath);
  if (base === undefined) {
    throw embeddingRefused(
      name,
      'has an address that is none.',
      `Set ${setting} to an http or https address.`,
    );
  }
  const address = `${base.origin}${base.pathname}`;
  if (base.hasPassword) {
    const hint = `Take the user name and the password out of ${setting}.`;
    throw embeddingRefused(name, `has a password in its address (${address}).`, hint);
  }
  if (key !== '' && base.protocol === 'http:' && !isLoopback(base.hostname)) {
    throw embeddingRefused(
      name,
      `would get the key over an open connection (${address}).`,
      `Use https in ${setting}.`,
    );
  }
  if (!/^[\u0021-\u007E]*$/u.test(key)) {
    throw embeddingRefused(name, 'has a key with characters that can not be sent.', keyHint(provider));
  }
  return {
    url: `${address}${provider.path(model)}${base.search}`,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key === '' ? {} : provider.headers(key)),
    },
    address,
    who: `${name} (model “${inertLine(model, 120)}”, ${address})`,
    quote: (text) => inertLine(key.length < 4 ? text : text.replaceAll(key, '[key]'), 200),
  };
}

/** Where the key comes from, as a sentence. */
function keyHint({ keyVariable }: EmbeddingProvider): string {
  return keyVariable === undefined
    ? 'To send a key, set memory.provider to openai, and memory.remote.baseUrl and memory.remote.apiKey.'
    : `Check ${keyVariable} or memory.remote.apiKey.`;
}

/** The parts of an address without what people paste along: slashes at the end, or the whole endpoint. */
function parseBase(text: string, basePath: string) {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return undefined;
  const pathname = url.pathname.replace(/\/+$/u, '').replace(/\/embeddings$/u, '');
  return {
    origin: url.origin,
    protocol: url.protocol,
    hostname: url.hostname,
    pathname: pathname === '' ? basePath : pathname,
    search: url.search,
    hasPassword: url.username !== '' || url.password !== '',
  };
}

/** Milliseconds before the second, third and fourth attempt. */
const delays = [500, 2_000, 8_000];

/** A server that wants more time than this gets no further attempt now: the next pass comes later anyway. Milliseconds. */
const longestWait = 30_000;

interface RetryQuestion {
  /** Attempts that have failed so far, at least 1. */
  readonly failed: number;
  /** Attempts in all. */
  readonly attempts: number;
  /** Whether another attempt may help at all. */
  readonly canRetry: boolean;
  /** What the server asked for in `Retry-After`. */
  readonly retryAfterMs: number | undefined;
}

/** Milliseconds to wait before the next attempt; undefined where there is none. */
export function planRetry({ failed, attempts, canRetry, retryAfterMs }: RetryQuestion): number | undefined {
  if (!canRetry || failed >= attempts) return undefined;
  if (retryAfterMs !== undefined) return retryAfterMs > longestWait ? undefined : retryAfterMs;
  return delays[Math.min(failed, delays.length) - 1];
}
