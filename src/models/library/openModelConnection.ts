import { raceAbort, throwIfAborted } from '../../base/abort.ts';
import type { PincerError } from '../../base/errors.ts';
import type { Clock, HttpClient, HttpRequest, HttpResponse } from '../../host/ports.ts';
import { malformed, offline, timedOut, unavailable, type ModelServer } from './modelErrors.ts';
import { networkReason } from './networkReason.ts';

/** Milliseconds. */
export interface ModelTimeouts {
  /** From sending the request to the first byte of the answer; a local server may load the model in that time. */
  readonly firstByteMs: number;
  /** Silence within an answer. */
  readonly idleMs: number;
}

export const defaultTimeouts: ModelTimeouts = { firstByteMs: 60_000, idleMs: 60_000 };

/** For models that think: some servers say nothing meanwhile, and asking again would cost the thought twice. */
export const thinkingTimeouts: ModelTimeouts = { firstByteMs: 300_000, idleMs: 300_000 };

/**
 * Characters of one answer; more is no answer but a fault. OpenAI's protocol spends 300 on a token, and the longest answers
 * have 128,000 tokens.
 */
export const maxAnswerLength = 40 * 1024 * 1024;

/** Characters of one line, which is one event: the parser holds it whole. */
const maxLineLength = 8 * 1024 * 1024;

/** How long a finished answer may take to close, so that the next request can use the same connection. */
const closeTimeoutMs = 100;

interface ConnectionOptions {
  readonly server: ModelServer;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly timeouts: ModelTimeouts;
  readonly signal: AbortSignal;
  /** Gets every piece of an answer before its reader does. */
  readonly onRaw?: ((chunk: string) => void) | undefined;
}

interface Failures {
  readonly late: () => PincerError;
  readonly broken: (why: string) => PincerError;
}

/**
 * Requests under a watch: each wait ends with `model_timeout` when it takes too long and with `cancelled` as soon as the
 * signal aborts, whatever the HTTP client does. Failures of the client become `model_offline` before the answer and
 * `model_unavailable` within it; an answer that never ends becomes `model_malformed`.
 */
export interface ModelConnection {
  send(request: Omit<HttpRequest, 'signal'>): Promise<HttpResponse>;
  /** Reads on to the end of a finished answer, for a moment only. */
  finish(text: AsyncIterator<string>): Promise<void>;
  /** Drops whatever is still under way; also after a failure. */
  close(): void;
}

export function openModelConnection(options: ConnectionOptions): ModelConnection {
  const { server, http, clock, timeouts, signal } = options;
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  signal.addEventListener('abort', onAbort, { once: true });

  const beforeFirstByte: Failures = {
    late: () => timedOut(server, 'start', timeouts.firstByteMs / 1000),
    broken: (why) => offline(server, why),
  };
  const withinAnswer: Failures = {
    late: () => timedOut(server, 'middle', timeouts.idleMs / 1000),
    broken: (why) => unavailable(server, 'broke off in the middle of its answer', why),
  };

  const wait = async <T>(start: () => Promise<T>, ms: number, failures: Failures): Promise<T> => {
    throwIfAborted(signal);
    const limited = new Promise<T>((resolve, reject) => {
      const cancelTimer = clock.after(ms, () => reject(failures.late()));
      // No cause: what the client throws may repeat the request, and with it the key.
      const fail = (error: unknown): void => reject(failures.broken(server.quote(networkReason(error))));
      start().then(resolve, fail).finally(cancelTimer);
    });
    return await raceAbort(limited, signal);
  };

  async function* watched(text: AsyncIterable<string>, firstBy: number): AsyncGenerator<string> {
    const chunks = text[Symbol.asyncIterator]();
    const size = createSizeWatch(server);
    for (let isFirst = true; ;) {
      const ms = isFirst ? Math.max(0, firstBy - clock.monotonic()) : timeouts.idleMs;
      const next = await wait(() => chunks.next(), ms, isFirst ? beforeFirstByte : withinAnswer);
      if (next.done === true) return;
      if (next.value === '') continue;
      isFirst = false;
      size.count(next.value);
      options.onRaw?.(next.value);
      yield next.value;
    }
  }

  return {
    async send(request) {
      const firstBy = clock.monotonic() + timeouts.firstByteMs;
      const start = (): Promise<HttpResponse> => http.send({ ...request, signal: stop.signal });
      const response = await wait(start, timeouts.firstByteMs, beforeFirstByte);
      return {
        status: response.status,
        header: (name) => response.header(name),
        text: watched(response.text, firstBy),
      };
    },
    finish: (text) =>
      new Promise((resolve) => {
        const cancelTimer = clock.after(closeTimeoutMs, resolve);
        // The answer is complete: how its connection ends, broken or not, changes nothing any more.
        readToEnd(text)
          .then(resolve, () => resolve())
          .finally(cancelTimer);
      }),
    close() {
      signal.removeEventListener('abort', onAbort);
      stop.abort();
    },
  };
}

/** Counts what arrives; throws as soon as it is more than an answer can be. */
function createSizeWatch(server: ModelServer): { count(chunk: string): void } {
  let answer = 0;
  let line = 0;
  return {
    count(chunk) {
      answer += chunk.length;
      const end = chunk.lastIndexOf('\n');
      line = end === -1 ? line + chunk.length : chunk.length - end - 1;
      if (answer > maxAnswerLength) throw malformed(server, 'sent more than any answer holds (over 40 MB)');
      if (line > maxLineLength) throw malformed(server, 'sent a line longer than any event is (over 8 MB)');
    },
  };
}

async function readToEnd(text: AsyncIterator<string>): Promise<void> {
  let next = await text.next();
  while (next.done !== true) next = await text.next();
}
