// Threat: a server sends the client elsewhere, into the private network or to a stranger who then gets its headers, or answers without end.
// So every request goes through the guard of connections, to the origin that was agreed to and to no other, whatever an answer says.
import { StreamableHTTPClientTransport, type FetchLike, type Transport } from '@modelcontextprotocol/client';
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

/** The messages of a server at an address, over streamable HTTP; a stream that answers a request counts as it comes. */
export function createAddressTransport(
  address: string,
  { fetch, headers, timeoutMs, signed = (send) => send }: AddressTransportDeps,
): Transport {
  const { origin } = new URL(address);
  /** What waits for an answer, by the id of the request. */
  const waiting = new Map<unknown, AbortController>();
  const send: FetchLike = async (target, init = {}) => {
    // A stream that the server opens by itself has no end; it is refused as by a server that has none.
    if (init.method === undefined || init.method === 'GET') return new Response(null, { status: 405 });
    if (new URL(target).origin !== origin) return new Response(null, { status: 403 });
    const { asks, takesBack } = readIds(init.body);
    // Nobody waits for it any more, and a server that keeps quiet would leave one stream open for each call.
    if (takesBack !== undefined) waiting.get(takesBack)?.abort();
    const takenBack = new AbortController();
    if (asks !== undefined) waiting.set(asks, takenBack);
    const ended = (): void => {
      if (waiting.get(asks) === takenBack) waiting.delete(asks);
    };
    const ends = [takenBack.signal, AbortSignal.timeout(streamMs)];
    const signal = AbortSignal.any(init.signal ? [init.signal, ...ends] : ends);
    const limits = { timeoutMs, ownOrigin: origin, isStream: isEventStream };
    try {
      return await sendGuarded(fetch, target, { ...init, signal }, limits, ended);
    } catch (error) {
      ended();
      throw error;
    }
  };
  return new StreamableHTTPClientTransport(new URL(address), {
    fetch: signed(send),
    requestInit: { headers: { ...headers } },
  });
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
  ended: () => void = () => undefined,
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
  if (response.stream === undefined) ended();
  const body = response.stream === undefined ? undefined : toReadable(response.stream, ended);
  return new Response(body ?? (hasBody ? new Uint8Array(response.bytes) : null), {
    status: response.status,
    headers: found,
  });
}

/** Reads no further than is asked for. */
function toReadable(chunks: AsyncIterable<Uint8Array>, ended: () => void): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await iterator.next();
        if (next.done !== true) controller.enqueue(next.value);
        else {
          ended();
          controller.close();
        }
      } catch (error) {
        ended();
        throw error;
      }
    },
    async cancel() {
      ended();
      await iterator.return?.();
    },
  });
}

function notAllowed({ origin }: URL): PincerError {
  return new PincerError('mcp_sign_in_address', `The sign-in names ${origin}, which is not asked.`, {
    hint: 'It has to be an address of https.',
  });
}
