import { cancelledError, raceAbort, throwIfAborted } from '../../base/abort.ts';
import type { PincerError } from '../../base/errors.ts';
import type { Clock, HttpClient, HttpRequest, HttpResponse } from '../../host/ports.ts';
import { malformed, timedOut, unavailable } from './errors.ts';
import type { ModelServer } from './modelServer.ts';
import { networkReason } from './networkReason.ts';

/** Milliseconds. */
export interface ModelTimeouts {
  /** From sending the request to the first byte of the answer; a local server may load the model in that time. */
  readonly firstByteMs: number;
  /** Silence within an answer. */
  readonly idleMs: number;
}

export const defaultTimeouts: ModelTimeouts = { firstByteMs: 60_000, idleMs: 60_000 };

/** Characters of one answer; more is no answer but a fault. */
const maxAnswerLength = 32 * 1024 * 1024;

/** How long a finished answer may take to close, so that the next request can use the same connection. */
const closingMs = 100;

export interface ConnectionOptions {
  readonly server: ModelServer;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly timeouts: ModelTimeouts;
  readonly signal: AbortSignal;
}

interface Failures {
  readonly late: () => PincerError;
  /** Completes "{address} …". */
  readonly broken: string;
}

/**
 * Requests under a watch: each wait ends with `model_timeout` when it takes too long and with `cancelled` as soon as the
 * signal aborts, whatever the HTTP client does. Failures of the client become `model_unavailable`.
 */
export interface Connection {
  send(request: Omit<HttpRequest, 'signal'>): Promise<HttpResponse>;
  /** Reads on to the end of a finished answer, for a moment only. */
  finish(text: AsyncIterator<string>): Promise<void>;
  /** Drops whatever is still under way; also after a failure. */
  close(): void;
}

export function openConnection(options: ConnectionOptions): Connection {
  const { server, http, clock, timeouts, signal } = options;
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  signal.addEventListener('abort', onAbort, { once: true });

  const beforeFirstByte: Failures = {
    late: () => timedOut(server, 'start', timeouts.firstByteMs / 1000),
    broken: 'can not be reached',
  };
  const withinAnswer: Failures = {
    late: () => timedOut(server, 'middle', timeouts.idleMs / 1000),
    broken: 'broke off in the middle of its answer',
  };

  const wait = async <T>(start: () => Promise<T>, ms: number, failures: Failures): Promise<T> => {
    throwIfAborted(signal);
    const limited = new Promise<T>((resolve, reject) => {
      const cancelTimer = clock.after(ms, () => reject(failures.late()));
      // No cause: what the client throws may repeat the request, and with it the key.
      const fail = (error: unknown): void =>
        reject(
          signal.aborted
            ? cancelledError()
            : unavailable(server, failures.broken, server.quote(networkReason(error))),
        );
      start().then(resolve, fail).finally(cancelTimer);
    });
    return await raceAbort(limited, signal);
  };

  async function* watched(text: AsyncIterable<string>, firstBy: number): AsyncGenerator<string> {
    const chunks = text[Symbol.asyncIterator]();
    let length = 0;
    for (;;) {
      const ms = length === 0 ? Math.max(0, firstBy - clock.monotonic()) : timeouts.idleMs;
      const next = await wait(() => chunks.next(), ms, length === 0 ? beforeFirstByte : withinAnswer);
      if (next.done === true) return;
      length += next.value.length;
      if (length > maxAnswerLength) throw malformed(server, 'sent more than any answer holds');
      if (next.value !== '') yield next.value;
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
        const cancelTimer = clock.after(closingMs, resolve);
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

async function readToEnd(text: AsyncIterator<string>): Promise<void> {
  let next = await text.next();
  while (next.done !== true) next = await text.next();
}
