// Threat: a server sends the client elsewhere, into the private network or to a stranger who then gets its headers, or answers without end.
// So every request goes through the guard of connections, to the origin that was agreed to and to no other, whatever an answer says.
import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import type { GuardedFetch } from '../../net/createGuardedFetch.ts';

export interface AddressTransportDeps {
  readonly fetch: GuardedFetch;
  readonly headers: Readonly<Record<string, string>>;
  /** How long one answer may take, in milliseconds. */
  readonly timeoutMs: number;
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

/** The messages of a server at an address, over streamable HTTP; a stream is read to its end before it counts. */
export function createAddressTransport(
  address: string,
  { fetch, headers, timeoutMs }: AddressTransportDeps,
): Transport {
  const { origin } = new URL(address);
  const send = async (target: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(target);
    // A stream that the server opens by itself has no end; it is refused as by a server that has none.
    if (init.method === undefined || init.method === 'GET') return new Response(null, { status: 405 });
    if (url.origin !== origin) return new Response(null, { status: 403 });
    const response = await fetch({
      url: url.href,
      method: init.method === 'DELETE' ? 'DELETE' : 'POST',
      ...(typeof init.body === 'string' ? { body: init.body } : {}),
      headers: Object.fromEntries(new Headers(init.headers).entries()),
      signal: init.signal ?? new AbortController().signal,
      timeoutMs,
      maxBytes,
      ownOrigin: origin,
    });
    const found = readHeaders.flatMap((name) => {
      const value = response.header(name);
      return value === undefined ? [] : [[name, value] as [string, string]];
    });
    const hasBody = response.bytes.length > 0 && ![204, 205, 304].includes(response.status);
    return new Response(hasBody ? new Uint8Array(response.bytes) : null, {
      status: response.status,
      headers: found,
    });
  };
  return new StreamableHTTPClientTransport(new URL(address), {
    fetch: send,
    requestInit: { headers: { ...headers } },
  });
}
