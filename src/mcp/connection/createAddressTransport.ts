// Threat: a server sends the client elsewhere, into the private network or to a stranger who then gets its headers, or answers without end.
// So every request goes through the guard of connections, to the origin that was agreed to and to no other, whatever an answer says.
import {
  ProtocolError,
  StreamableHTTPClientTransport,
  type FetchLike,
  type Transport,
} from '@modelcontextprotocol/client';
import { PincerError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { GuardedFetch, GuardedRequest } from '../../net/createGuardedFetch.ts';
import { isAllowed, isLocal } from './createSignIn.ts';

interface AddressTransportDeps {
  readonly fetch: GuardedFetch;
  readonly headers: Readonly<Record<string, string>>;
  /** How long one answer may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Adds the token of a sign-in; absent, there is none. */
  readonly signed?: (send: FetchLike) => FetchLike;
}

const maxBytes = 10_000_000;
/** What the protocol reads of an answer. */
const readHeaders = [
  'content-type',
  'mcp-session-id',
  'www-authenticate',
  'retry-after',
  'mcp-protocol-version',
];

/** Of one stream: a person whom the server asks something in it may take their time. Milliseconds. */
const streamMs = 30 * 60_000;

/** A request whose answer has not come. */
interface Waiting {
  /** Ends its streams. */
  readonly end: AbortController;
  /** After which event a stream that broke is taken up again. */
  lastEvent?: string;
  resumptions: number;
}

/** How often the answer to one request is taken up again: a server may say that it wants that at once, and without end. */
const maxResumptions = 50;

/** What stands for an answer that never comes: who waits for it need not wait for the whole time limit. */
const cutOff = { code: -32_000, message: 'The connection ended before the answer.' };

/** Whether a request failed since the stream that was to answer it has ended. Pure. */
export function isCutOff(error: unknown): boolean {
  return error instanceof ProtocolError && error.message === cutOff.message;
}

/** The messages of a server at an address, over streamable HTTP; a stream that answers a request counts as it comes. */
export function createAddressTransport(
  address: string,
  { fetch, headers, timeoutMs, signed = (send) => send }: AddressTransportDeps,
): Transport {
  const { origin } = new URL(address);
  /** By the id of the request. */
  const waiting = new Map<unknown, Waiting>();
  const send: FetchLike = async (target, init = {}) => {
    if (new URL(target).origin !== origin) return new Response(null, { status: 403 });
    const isGet = init.method === undefined || init.method === 'GET';
    const { asks, takesBack } = readIds(init.body);
    const request = isGet ? resumedBy(waiting, init) : waiting.get(asks);
    // A stream that answers no request has no end; it is refused as by a server that has none.
    if (isGet && (request === undefined || (request.resumptions += 1) > maxResumptions))
      return new Response(null, { status: 405 });
    // Nobody waits for it any more, and a server that keeps quiet would leave one stream open for each call.
    if (takesBack !== undefined) waiting.get(takesBack)?.end.abort();
    waiting.delete(takesBack);
    const ends = [init.signal, request?.end.signal, AbortSignal.timeout(streamMs)];
    const signal = AbortSignal.any(ends.flatMap((each) => each ?? []));
    const limits = { timeoutMs, ownOrigin: origin, isStream: isEventStream };
    return await sendGuarded(fetch, target, { ...init, signal }, limits);
  };
  const transport = new StreamableHTTPClientTransport(new URL(address), {
    fetch: signed(send),
    requestInit: { headers: { ...headers } },
  });
  const post = transport.send.bind(transport);
  transport.onmessage = (message) => {
    if (!('method' in message)) waiting.delete(message.id);
  };
  transport.send = async (message, options = {}) => {
    // To the question which protocol it speaks the library listens by itself.
    if (!('method' in message && 'id' in message) || message.method === 'server/discover') {
      await post(message, options);
      return;
    }
    const { id } = message;
    const request: Waiting = { end: new AbortController(), resumptions: 0 };
    waiting.set(id, request);
    options.requestSignal?.addEventListener('abort', () => waiting.delete(id), { once: true });
    try {
      await post(message, {
        ...options,
        onresumptiontoken(token) {
          request.lastEvent = token;
          options.onresumptiontoken?.(token);
        },
        onRequestStreamEnd() {
          options.onRequestStreamEnd?.();
          if (waiting.delete(id)) transport.onmessage?.({ jsonrpc: '2.0', id, error: cutOff });
        },
      });
    } catch (error) {
      waiting.delete(id);
      throw error;
    }
  };
  return transport;
}

/** The request whose broken stream is taken up again. */
function resumedBy(waiting: ReadonlyMap<unknown, Waiting>, { headers }: RequestInit): Waiting | undefined {
  const after = new Headers(headers).get('last-event-id');
  return after === null ? undefined : [...waiting.values()].find(({ lastEvent }) => lastEvent === after);
}

/** The id of the request that is sent, or of the one that is taken back. */
function readIds(body: RequestInit['body']): { readonly asks?: unknown; readonly takesBack?: unknown } {
  const message = typeof body === 'string' ? parseJson(body) : undefined;
  if (!isRecord(message)) return {};
  const { id, method, params } = message;
  if (method === 'notifications/cancelled')
    return { takesBack: isRecord(params) ? params['requestId'] : undefined };
  return { asks: method === undefined ? undefined : id };
}

/** What a sign-in at the server of `address` asks of others: no redirect is followed. @throws PincerError `net_*`, `mcp_sign_in_address` */
export function createSignInFetch(address: string, fetch: GuardedFetch): FetchLike {
  return async (target, init = {}) => {
    const url = new URL(target);
    if (!isAllowed(url, address)) throw notAllowed(url);
    const isOwn = url.origin === new URL(address).origin || (isLocal(new URL(address)) && isLocal(url));
    return await sendGuarded(fetch, url, init, isOwn ? { ownOrigin: url.origin } : {});
  };
}

const isEventStream: NonNullable<GuardedRequest['isStream']> = (header) =>
  header('content-type')?.toLowerCase().startsWith('text/event-stream') === true;

async function sendGuarded(
  fetch: GuardedFetch,
  target: string | URL,
  init: RequestInit,
  limits: Pick<GuardedRequest, 'timeoutMs' | 'ownOrigin' | 'isStream'>,
): Promise<Response> {
  const { method = 'GET', body: sent } = init;
  const response = await fetch({
    url: new URL(target).href,
    method: method === 'DELETE' || method === 'GET' ? method : 'POST',
    ...(typeof sent === 'string' || sent instanceof URLSearchParams ? { body: sent.toString() } : {}),
    headers: Object.fromEntries(new Headers(init.headers).entries()),
    signal: init.signal ?? new AbortController().signal,
    maxBytes,
    mayFollow: () => false,
    ...limits,
  });
  const found = readHeaders.flatMap((name) => {
    const value = response.header(name);
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
  const hasBody = response.bytes.length > 0 && ![204, 205, 304].includes(response.status);
  const body = response.stream === undefined ? undefined : toReadable(response.stream);
  return new Response(body ?? (hasBody ? new Uint8Array(response.bytes) : null), {
    status: response.status,
    headers: found,
  });
}

/** Reads no further than is asked for. */
function toReadable(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

function notAllowed({ origin }: URL): PincerError {
  return new PincerError('mcp_sign_in_address', `The sign-in names ${origin}, which is not asked.`, {
    hint: 'It has to be an address of https.',
  });
}
